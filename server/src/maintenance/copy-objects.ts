import { createHash } from 'node:crypto'
import { type ObjectStore, ObjectsUnavailable, ObjectUnreadable } from '../objects/object-store.ts'
import { Semaphore } from '../runtime/semaphore.ts'
import { manyAtOnce, paceFor } from './many-at-once.ts'
import type { Pace } from './pace.ts'

export interface CopiedObjects {
  readonly copied: number
  readonly copiedBytes: number
  /** Objects that existed already. */
  readonly present: number
  /** Objects that are missing or damaged in the source. */
  readonly bad: readonly string[]
  /** Objects that the target has besides. */
  readonly others: readonly string[]
}

export interface CopyOptions {
  /** Whether to hash what an earlier copy left in the target, and large objects again under their final name. */
  readonly verify?: boolean
  readonly onProgress?: (progress: {
    readonly done: number
    readonly bytes: number
    readonly last: string
  }) => void
  readonly pace?: Pace
  /** Waits before an overloaded store is asked again. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

type Source = Pick<ObjectStore, 'read' | 'isRemote'>
type Target = Pick<ObjectStore, 'stage' | 'read' | 'isRemote'> & {
  list(): AsyncIterable<{ readonly sha256: string }>
}

/**
 * Copies objects, many at once. `names` are in order. Existing objects are skipped, so that an interrupted copy can be
 * resumed; they are found by listing the target, not one by one.
 */
export async function copyObjects(
  names: AsyncIterable<string>,
  from: Source,
  to: Target,
  { verify = false, onProgress = () => {}, pace, wait }: CopyOptions = {},
): Promise<CopiedObjects> {
  const bad: string[] = []
  const others: string[] = []
  let [copied, copiedBytes, present] = [0, 0, 0]
  const large = new Semaphore(CONCURRENT_LARGE)
  const copy = async ({ sha256, isPresent }: Wanted, signal: AbortSignal): Promise<Copied> => {
    if (isPresent && (await isIntact(to, sha256))) return { sha256, sizeBytes: 0, is: 'present' }
    return copyOne(sha256, from, to, { verify, large, signal })
  }
  /** Most of a backup is there already, and needs no work. */
  async function* wanted(): AsyncGenerator<Wanted> {
    for await (const each of marked(names, to, others)) {
      if (each.isPresent && !verify) present += 1
      else yield each
    }
  }
  const chosen = pace ?? paceFor({ isRemote: from.isRemote || to.isRemote })
  const many = { pace: chosen, ...(wait === undefined ? {} : { wait }) }
  for await (const { sha256, sizeBytes, is } of manyAtOnce(wanted(), copy, many)) {
    if (is === 'bad') bad.push(sha256)
    else if (is === 'present') present += 1
    else [copied, copiedBytes] = [copied + 1, copiedBytes + sizeBytes]
    onProgress({ done: copied + present, bytes: copiedBytes, last: sha256 })
  }
  return { copied, copiedBytes, present, bad: bad.toSorted(), others }
}

interface Wanted {
  readonly sha256: string
  readonly isPresent: boolean
}

interface Copied {
  readonly sha256: string
  readonly sizeBytes: number
  readonly is: 'copied' | 'present' | 'bad'
}

/** Says of each name whether the target has it, and adds what it has besides to `others`. Both lists are in order. */
async function* marked(
  names: AsyncIterable<string>,
  to: Pick<Target, 'list'>,
  others: string[],
): AsyncGenerator<Wanted> {
  const existing = to.list()[Symbol.asyncIterator]()
  try {
    let next = await existing.next()
    for await (const sha256 of names) {
      for (; next.done !== true && next.value.sha256 < sha256; next = await existing.next())
        others.push(next.value.sha256)
      const isPresent = next.done !== true && next.value.sha256 === sha256
      if (isPresent) next = await existing.next()
      yield { sha256, isPresent }
    }
    for (; next.done !== true; next = await existing.next()) others.push(next.value.sha256)
  } finally {
    await existing.return?.()
  }
}

/** Smaller objects are held in memory by a remote store: 64 of them are 64 MiB. */
const SMALL_BYTES = 1024 * 1024
/** Larger ones take up to 15 MiB each, in parts. */
const CONCURRENT_LARGE = 4

interface CopyContext {
  readonly verify: boolean
  readonly large: Semaphore
  readonly signal: AbortSignal
}

async function copyOne(sha256: string, from: Source, to: Target, ctx: CopyContext): Promise<Copied> {
  const slot = largeSlot(ctx.large)
  try {
    const staged = await to.stage(limited(from.read(sha256), slot.take, ctx.signal))
    if (staged.sha256 !== sha256) {
      await staged.discard()
      return { sha256, sizeBytes: 0, is: 'bad' }
    }
    await staged.keep()
    const { sizeBytes } = staged
    if (ctx.verify && sizeBytes > SMALL_BYTES && !(await isIntact(to, sha256)))
      throw new ObjectsUnavailable('does not return what was written')
    return { sha256, sizeBytes, is: 'copied' }
  } catch (error) {
    if (error instanceof ObjectUnreadable) return { sha256, sizeBytes: 0, is: 'bad' }
    throw error
  } finally {
    slot.free()
  }
}

/** Passes the first bytes on at once. An object that turns out to be large waits for its turn. */
async function* limited(
  content: AsyncIterable<Uint8Array>,
  takeSlot: () => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let passed = 0
  for await (const bytes of content) {
    signal.throwIfAborted()
    passed += bytes.length
    if (passed > SMALL_BYTES) await takeSlot()
    yield bytes
  }
}

function largeSlot(large: Semaphore): { take(): Promise<void>; free(): void } {
  let taken: Promise<void> | undefined
  const held = Promise.withResolvers<void>()
  return {
    take: () =>
      (taken ??= new Promise((resolve) => {
        void large.run(() => {
          resolve()
          return held.promise
        })
      })),
    free: () => held.resolve(),
  }
}

export async function isIntact(objects: Pick<ObjectStore, 'read'>, sha256: string): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    for await (const bytes of objects.read(sha256)) hash.update(bytes)
  } catch (error) {
    if (error instanceof ObjectUnreadable) return false
    throw error
  }
  return hash.digest('hex') === sha256
}
