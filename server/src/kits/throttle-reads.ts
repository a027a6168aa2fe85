import { Semaphore } from '../runtime/semaphore.ts'

/** One for the process: all downloads share the main thread with requests. */
const reads = new Semaphore(4)

/**
 * Limits how many downloads read at the same time. A hundred downloads that start together would otherwise each read and
 * hash a chunk before any other request is served. A download that waits for a slow client does not count.
 */
export async function* throttleReads(content: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Reads one chunk ahead while the current one is sent.
  let ahead = reads.run(() => content.next())
  try {
    for (;;) {
      const next = await ahead
      if (next.done === true) return
      ahead = reads.run(() => content.next())
      // Errors surface when the chunk is awaited. If the client is gone by then, nobody awaits it.
      ahead.catch(() => {})
      yield next.value
    }
  } finally {
    await content.return(undefined)
  }
}
