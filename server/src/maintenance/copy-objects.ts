import { type ObjectStore, ObjectsUnavailable } from '../objects/object-store.ts'

export interface CopiedObjects {
  readonly copied: number
  readonly copiedBytes: number
  /** Those that were there already. */
  readonly present: number
  /** Those that are missing or damaged where they should have come from. */
  readonly bad: readonly string[]
}

/** How many are under way at once: a store that is far away is waited for. */
const AT_ONCE = 8

/** Copies objects by name. What is there already is not read again, so that a second run takes up where one ended. */
export async function copyObjects(
  names: AsyncIterable<string>,
  from: Pick<ObjectStore, 'read'>,
  to: Pick<ObjectStore, 'stage' | 'look'>,
  tell: (done: number) => void = () => {},
): Promise<CopiedObjects> {
  const bad: string[] = []
  let [copied, copiedBytes, present] = [0, 0, 0]
  const copy = async (sha256: string): Promise<void> => {
    if ((await to.look(sha256)) !== undefined) present += 1
    else {
      const sizeBytes = await copyOne(sha256, from, to)
      if (sizeBytes === undefined) bad.push(sha256)
      else [copied, copiedBytes] = [copied + 1, copiedBytes + sizeBytes]
    }
    tell(copied + present)
  }
  for await (const batch of inBatches(names)) await Promise.all(batch.map(copy))
  return { copied, copiedBytes, present, bad: bad.toSorted() }
}

async function* inBatches(names: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  for await (const name of names) {
    batch.push(name)
    if (batch.length < AT_ONCE) continue
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
