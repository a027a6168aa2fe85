import { ObjectUnreadable, type ObjectStore } from '../objects/object-store.ts'

export interface CopiedObjects {
  readonly copied: number
  readonly copiedBytes: number
  /** Objects that existed already. */
  readonly present: number
  /** Objects that are missing or damaged in the source. */
  readonly bad: readonly string[]
}

interface ObjectToCopy {
  readonly object: string
  readonly sizeBytes: number
  /** If it is known. */
  readonly sha256?: string
}

type Source = Pick<ObjectStore, 'read' | 'isRemote'>
type Target = Pick<ObjectStore, 'put' | 'inspect' | 'delete' | 'isRemote'>

/** Copies objects under their names. Those of the same size are there already, so that an interrupted copy can be resumed. */
export async function copyObjects(
  all: AsyncIterable<ObjectToCopy>,
  from: Source,
  to: Target,
  onProgress: (progress: { readonly done: number; readonly bytes: number }) => void = () => {},
): Promise<CopiedObjects> {
  const bad: string[] = []
  let [copied, copiedBytes, present] = [0, 0, 0]
  const most = atOnce({ isRemote: from.isRemote || to.isRemote })
  const copy = (each: ObjectToCopy, signal: AbortSignal) => copyOne(each, from, to, signal)
  for await (const { object, sizeBytes, is } of inOrder(all, most, copy)) {
    if (is === 'bad') bad.push(object)
    if (is === 'present') present += 1
    if (is === 'copied') [copied, copiedBytes] = [copied + 1, copiedBytes + sizeBytes]
    onProgress({ done: copied + present, bytes: copiedBytes })
  }
  return { copied, copiedBytes, present, bad }
}

async function copyOne(
  { object, sha256, sizeBytes }: ObjectToCopy,
  from: Source,
  to: Target,
  signal: AbortSignal,
) {
  if ((await to.inspect(object))?.sizeBytes === sizeBytes)
    return { object, sizeBytes, is: 'present' } as const
  try {
    const stored = await to.put(until(signal, from.read(object)), object)
    if (stored.sha256 === (sha256 ?? stored.sha256)) return { object, sizeBytes, is: 'copied' } as const
    await to.delete(object)
  } catch (error) {
    if (!(error instanceof ObjectUnreadable)) throw error
  }
  return { object, sizeBytes, is: 'bad' } as const
}

async function* until(signal: AbortSignal, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    signal.throwIfAborted()
    yield bytes
  }
}

/** At a remote store each operation is a request, at a local one it is work for the disk. */
export const atOnce = ({ isRemote }: { readonly isRemote?: boolean }): number => (isRemote === true ? 8 : 4)

/**
 * Works on several items at once and returns the results in the order of the items, so that the last one is a cursor. If an
 * operation fails, the results before it are returned and then its error is thrown; the operations after it are aborted.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
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
