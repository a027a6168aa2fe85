/** At a remote store each operation is a request, at a local one it is work for the disk. */
export const atOnce = ({ isRemote }: { readonly isRemote?: boolean }): number => (isRemote === true ? 8 : 4)

/**
 * Works on several items at once and returns the results in the order of the items, so that the last one is a cursor. If an
 * operation fails, the results before it are returned and then its error is thrown; the operations after it are aborted.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  most: number,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result> {
  const stop = new AbortController()
  const running: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const result = work(item, stop.signal)
      // Thrown when its turn comes.
      result.catch(() => {})
      running.push(result)
      if (running.length >= most) yield await (running.shift() as Promise<Result>)
    }
    for (let next = running.shift(); next !== undefined; next = running.shift()) yield await next
  } finally {
    stop.abort()
    await Promise.allSettled(running)
  }
}
