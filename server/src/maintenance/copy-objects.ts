import { ObjectUnreadable, type ObjectStore } from '../objects/object-store.ts'
import { atOnce, inOrder } from './in-order.ts'

export interface CopiedObjects {
  readonly copied: number
  readonly copiedBytes: number
  /** Objects that existed already. */
  readonly present: number
  /** Objects that are missing or damaged in the source. */
  readonly bad: readonly string[]
}

export interface ObjectToCopy {
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
