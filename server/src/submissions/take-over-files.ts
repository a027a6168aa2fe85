import type { Db, EvidenceTable } from '../database/schema.ts'
import type { NewObject } from '../objects/accepted-objects.ts'
import { type ObjectStore, ObjectUnreadable, type StoredRange } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'

export interface TakeOverContext {
  readonly db: Db
  readonly objects: Pick<ObjectStore, 'copy' | 'put' | 'read' | 'delete'>
}

/** Files of earlier submissions, where their copies are. */
export interface TakenFiles {
  readonly files: readonly EvidenceTable[]
  /** The copies, which nobody has accepted yet. */
  readonly objects: readonly NewObject[]
}

/** Copies files for another submission, before the transaction that adds them. */
export async function takeOverFiles(
  ctx: TakeOverContext,
  files: readonly EvidenceTable[],
): Promise<TakenFiles> {
  const ranges = files.map(({ object, offset_bytes, size_bytes }) => {
    return { object, offset: Number(offset_bytes), sizeBytes: Number(size_bytes) }
  })
  const copied = await copyRanges(ctx, ranges).catch((error: unknown) => {
    if (!(error instanceof ObjectUnreadable)) throw error
    const name = files.find(({ object }) => object === error.object)?.name
    const message = `${JSON.stringify(name)} is no longer stored. Upload it again.`
    throw new Refusal('evidence_gone', message, { cause: error })
  })
  const taken = files.map((file, index) => {
    const { object = '', offset = 0 } = copied.ranges[index] ?? {}
    return { ...file, object, offset_bytes: offset }
  })
  return { files: taken, objects: copied.objects }
}

/**
 * Copies ranges of objects. An object whose bytes are all wanted is copied by the store; of others only what is wanted is read, so that
 * nothing else outlives its submission. Throws `ObjectUnreadable` if one is gone; then nothing is stored.
 */
export async function copyRanges<Range extends StoredRange>(
  { db, objects: store }: TakeOverContext,
  ranges: readonly Range[],
): Promise<{ readonly ranges: readonly Range[]; readonly objects: readonly NewObject[] }> {
  const sources = await storedObjects(db, ranges)
  const objects: NewObject[] = []
  const copies = new Map<Range, Range>()
  try {
    for (const [object, own] of Map.groupBy(ranges, (range) => range.object)) {
      const source = sources.get(object)
      if (source === undefined) throw new ObjectUnreadable(object, 'is gone')
      const isWhole = own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) === source.sizeBytes
      const copy = isWhole
        ? { ...source, object: await store.copy(object) }
        : await store.put(contentOf(store, own))
      objects.push(copy)
      let at = 0
      for (const range of own) {
        copies.set(range, { ...range, object: copy.object, offset: isWhole ? range.offset : at })
        at += range.sizeBytes
      }
    }
  } catch (error) {
    await Promise.allSettled(objects.map(({ object }) => store.delete(object)))
    throw error
  }
  return { ranges: ranges.map((range) => copies.get(range) ?? range), objects }
}

/** The objects that are not erased, by name. */
export async function storedObjects(
  db: Db,
  ranges: readonly Pick<StoredRange, 'object'>[],
): Promise<ReadonlyMap<string, NewObject>> {
  const names = [...new Set(ranges.map(({ object }) => object))]
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('objects')
    .select(['object', 'sha256', 'size_bytes'])
    .where('object', 'in', names)
    .where('erased_at', 'is', null)
    .execute()
  return new Map(
    rows.map(({ object, sha256, size_bytes }) => [object, { object, sha256, sizeBytes: Number(size_bytes) }]),
  )
}

async function* contentOf(
  store: Pick<ObjectStore, 'read'>,
  ranges: readonly StoredRange[],
): AsyncGenerator<Uint8Array> {
  for (const { object, offset, sizeBytes } of ranges) yield* store.read(object, offset, offset + sizeBytes)
}

/** Of a failed submission, whose files nobody can take over again. */
export async function moveFiles(trx: Db, files: readonly EvidenceTable[], to: SubmissionId): Promise<void> {
  if (files.length === 0) return
  const objects = files.map(({ object }) => object)
  await trx.updateTable('objects').set({ submission_id: to }).where('object', 'in', objects).execute()
}
