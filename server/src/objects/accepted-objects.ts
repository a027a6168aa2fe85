import type { Kysely } from 'kysely'
import type { Database, Db } from '../database/schema.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

export type NewObject = Pick<StoredObject, 'object' | 'sha256' | 'sizeBytes'>

/** In the transaction of the records that need them: from then on they stay until the submission has expired. */
export const insertObjects = (trx: Db, submissionId: SubmissionId | null, objects: readonly NewObject[]) =>
  trx.insertInto('objects').values(objectRows(submissionId, objects))

export const objectRows = (submission_id: SubmissionId | null, objects: readonly NewObject[]) =>
  objects.map(({ object, sha256, sizeBytes }) => {
    return { object, submission_id, sha256, size_bytes: sizeBytes, erased_at: null }
  })

/** Runs the transaction that accepts stored objects. If it surely did not, they are deleted; if nobody knows, the sweep finds out. */
export async function accepting<T>(
  store: Pick<ObjectStore, 'delete'>,
  objects: readonly Pick<NewObject, 'object'>[],
  transaction: () => Promise<T>,
  isAccepted: (result: T) => boolean = () => true,
): Promise<T> {
  // What cannot be deleted now is swept later.
  const discard = () => Promise.allSettled(objects.map(({ object }) => store.delete(object)))
  try {
    const result = await transaction()
    if (!isAccepted(result)) await discard()
    return result
  } catch (error) {
    if (!isUnavailable(error)) await discard()
    throw error
  }
}

const PAGE = 500

export interface AcceptedObject extends NewObject {
  readonly submissionId: SubmissionId | null
}

/** In name order, those after `after`. */
export async function* acceptedObjects(db: Kysely<Database>, after = ''): AsyncGenerator<AcceptedObject> {
  for (let at = after; ;) {
    const rows = await db
      .selectFrom('objects')
      .select(['object', 'submission_id', 'sha256', 'size_bytes'])
      .where('object', '>', at)
      .where('erased_at', 'is', null)
      .orderBy('object')
      .limit(PAGE)
      .execute()
    for (const { object, submission_id, sha256, size_bytes } of rows)
      yield { object, submissionId: submission_id, sha256, sizeBytes: Number(size_bytes) }
    at = rows.at(-1)?.object ?? at
    if (rows.length < PAGE) return
  }
}

/** Which of these are accepted. */
export async function acceptedAmong(db: Db, objects: readonly string[]): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set()
  const rows = await db
    .selectFrom('objects')
    .select('object')
    .where('object', 'in', objects)
    .where('erased_at', 'is', null)
    .execute()
  return new Set(rows.map(({ object }) => object))
}
