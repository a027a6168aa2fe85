import { type ObjectStore, ObjectsUnavailable } from '../objects/object-store.ts'

export interface CopiedObjects {
  readonly copied: number
  readonly copiedBytes: number
  /** Objects that existed already. */
  readonly present: number
  /** Objects that are missing or damaged in the source. */
  readonly bad: readonly string[]
}

/** Concurrent copies, to hide the latency of a remote store. */
const CONCURRENCY = 8

/** Copies objects. Existing ones are skipped, so that an interrupted copy can be resumed. */
export async function copyObjects(
  names: AsyncIterable<string>,
  from: Pick<ObjectStore, 'read'>,
  to: Pick<ObjectStore, 'stage' | 'inspect'>,
  onProgress: (done: number) => void = () => {},
): Promise<CopiedObjects> {
  const bad: string[] = []
  let [copied, copiedBytes, present] = [0, 0, 0]
  const copy = async (sha256: string): Promise<void> => {
    if ((await to.inspect(sha256)) !== undefined) present += 1
    else {
      const sizeBytes = await copyOne(sha256, from, to)
      if (sizeBytes === undefined) bad.push(sha256)
      else [copied, copiedBytes] = [copied + 1, copiedBytes + sizeBytes]
    }
    onProgress(copied + present)
  }
  for await (const batch of inBatches(names)) await Promise.all(batch.map(copy))
  return { copied, copiedBytes, present, bad: bad.toSorted() }
}

async function* inBatches(names: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  for await (const name of names) {
    batch.push(name)
    if (batch.length < CONCURRENCY) continue
    yield batch
    batch = []
  }
  yield batch
}

async function copyOne(
  sha256: string,
  from: Pick<ObjectStore, 'read'>,
  to: Pick<ObjectStore, 'stage'>,
): Promise<number | undefined> {
  try {
    const staged = await to.stage(from.read(sha256))
    if (staged.sha256 === sha256) {
      await staged.keep()
      return staged.sizeBytes
    }
    await staged.discard()
  } catch (error) {
    if (error instanceof ObjectsUnavailable) throw error
    if (!(error instanceof Error) || error.name !== 'ObjectUnreadable') throw error
  }
  return undefined
}
