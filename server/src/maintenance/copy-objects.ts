import { createHash } from 'node:crypto'
import { type ObjectStore, ObjectsUnavailable, ObjectUnreadable } from '../objects/object-store.ts'
import { atOnce, inOrder } from './in-order.ts'

export interface CopiedObjects {
  readonly copied: number
  readonly copiedBytes: number
  /** Objects that existed already. */
  readonly present: number
  /** Objects that are missing or damaged in the source. */
  readonly bad: readonly string[]
}

export interface CopyOptions {
  /** Whether to hash what an earlier copy left in the target, and large objects again under their final name. */
  readonly verify?: boolean
  readonly onProgress?: (progress: { readonly done: number; readonly bytes: number }) => void
}

type Source = Pick<ObjectStore, 'read' | 'isRemote'>
type Target = Pick<ObjectStore, 'stage' | 'read' | 'list' | 'isRemote'>

/** Copies objects. `names` are in order. Existing ones are skipped, so that an interrupted copy can be resumed. */
export async function copyObjects(
  names: AsyncIterable<string>,
  from: Source,
  to: Target,
  { verify = false, onProgress = () => {} }: CopyOptions = {},
): Promise<CopiedObjects> {
  const bad: string[] = []
  let [copied, copiedBytes, present] = [0, 0, 0]
  const copy = async ({ sha256, inFirst, inSecond }: Compared, signal: AbortSignal): Promise<Copied> => {
    if (!inFirst) return { sha256, sizeBytes: 0, is: 'other' }
    if (inSecond && (!verify || (await isIntact(to, sha256)))) return { sha256, sizeBytes: 0, is: 'present' }
    return copyOne(sha256, from, to, verify, signal)
  }
  const most = atOnce({ isRemote: from.isRemote || to.isRemote })
  for await (const { sha256, sizeBytes, is } of inOrder(compare(names, namesIn(to)), most, copy)) {
    if (is === 'bad') bad.push(sha256)
    if (is === 'present') present += 1
    if (is === 'copied') [copied, copiedBytes] = [copied + 1, copiedBytes + sizeBytes]
    onProgress({ done: copied + present, bytes: copiedBytes })
  }
  return { copied, copiedBytes, present, bad }
}

export async function* namesIn(objects: Pick<ObjectStore, 'list'>): AsyncGenerator<string> {
  for await (const { sha256 } of objects.list()) yield sha256
}

interface Compared {
  readonly sha256: string
  readonly inFirst: boolean
  readonly inSecond: boolean
}

/** Merges two lists of names, which are both in order. */
export async function* compare(
  first: AsyncIterable<string>,
  second: AsyncIterable<string>,
): AsyncGenerator<Compared> {
  const [one, other] = [first[Symbol.asyncIterator](), second[Symbol.asyncIterator]()]
  try {
    let [a, b] = [await one.next(), await other.next()]
    while (a.done !== true || b.done !== true) {
      const inFirst = a.done !== true && (b.done === true || a.value <= b.value)
      const inSecond = b.done !== true && (a.done === true || b.value <= a.value)
      const sha256: string = inFirst ? a.value : b.value
      if (inFirst) a = await one.next()
      if (inSecond) b = await other.next()
      yield { sha256, inFirst, inSecond }
    }
  } finally {
    await one.return?.()
    await other.return?.()
  }
}

interface Copied {
  readonly sha256: string
  readonly sizeBytes: number
  /** `other`: only the target has it. */
  readonly is: 'copied' | 'present' | 'bad' | 'other'
}

/** A store hashes smaller objects before it gives them their name. */
const LARGE_BYTES = 1024 * 1024

async function copyOne(
  sha256: string,
  from: Source,
  to: Target,
  verify: boolean,
  signal: AbortSignal,
): Promise<Copied> {
  try {
    const staged = await to.stage(until(signal, from.read(sha256)))
    if (staged.sha256 !== sha256) {
      await staged.discard()
      return { sha256, sizeBytes: 0, is: 'bad' }
    }
    await staged.keep()
    const { sizeBytes } = staged
    if (verify && sizeBytes > LARGE_BYTES && !(await isIntact(to, sha256)))
      throw new ObjectsUnavailable('does not return what was written')
    return { sha256, sizeBytes, is: 'copied' }
  } catch (error) {
    if (error instanceof ObjectUnreadable) return { sha256, sizeBytes: 0, is: 'bad' }
    throw error
  }
}

async function* until(signal: AbortSignal, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    signal.throwIfAborted()
    yield bytes
  }
}

async function isIntact(objects: Pick<ObjectStore, 'read'>, sha256: string): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    for await (const bytes of objects.read(sha256)) hash.update(bytes)
  } catch (error) {
    if (error instanceof ObjectUnreadable) return false
    throw error
  }
  return hash.digest('hex') === sha256
}
