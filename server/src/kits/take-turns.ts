const AT_ONCE = 4

// One for the process, because it is the process's one thread that downloads share with everybody's requests.
const waiting: (() => void)[] = []
let running = 0

/**
 * Reads content in turn with other downloads, a few pieces at a time. A hundred downloads that begin together would
 * otherwise all read and hash a piece before the thread comes to anybody else. Who waits for a slow client
 * holds no turn.
 */
export async function* takeTurns(content: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  // While one piece is sent, the next is read.
  let ahead = inTurn(() => content.next())
  try {
    for (;;) {
      const next = await ahead
      if (next.done === true) return
      ahead = inTurn(() => content.next())
      // A failure is heard when its turn comes, if it comes: a client may be gone by then.
      ahead.catch(() => {})
      yield next.value
    }
  } finally {
    await content.return(undefined)
  }
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1
  // The one who leaves hands its place over.
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else setImmediate(next)
  }
}
