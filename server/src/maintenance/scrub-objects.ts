import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import { parseEntries } from '../kits/kit-entries.ts'
import { type AcceptedObject, acceptedAmong, acceptedObjects } from '../objects/accepted-objects.ts'
import { type ObjectStore, ObjectUnreadable } from '../objects/object-store.ts'
import { atOnce, inOrder } from './in-order.ts'

export interface ScrubContext {
  readonly db: Kysely<Database>
  readonly objects: Pick<ObjectStore, 'read' | 'inspect'> & Partial<Pick<ObjectStore, 'isRemote'>>
  /** How many objects are read at once. */
  readonly most?: number
  /** Called with the size of each chunk; may wait, to limit the rate. */
  readonly onBytes?: (bytes: number) => Promise<void>
}

export interface Scrubbed {
  readonly object: string
  /** Null for what the program stores for every kit. */
  readonly submissionId: AcceptedObject['submissionId']
  readonly sizeBytes: number
  readonly finding: ScrubFinding | undefined
}

type Problem = 'missing' | 'damaged'

/** A missing or damaged object. */
export interface ScrubFinding {
  readonly object: string
  readonly problem: Problem
  /** Files of kits that are in it. */
  readonly kits: readonly { readonly kit_id: string; readonly paths: readonly string[] }[]
  /** Uploads that are in it. */
  readonly evidence: readonly { readonly submission_id: string; readonly name: string }[]
}

/** Reads and hashes every accepted object, many at once, and reports them in name order, starting after `after`. */
export async function* scrubObjects(ctx: ScrubContext, after = ''): AsyncGenerator<Scrubbed> {
  const { db, objects, most = atOnce(objects) } = ctx
  const work = (each: AcceptedObject, signal: AbortSignal) => rehash(ctx, each, signal)
  for await (const { accepted, sizeBytes, problem } of inOrder(acceptedObjects(db, after), most, work)) {
    const finding = problem && (await describeFinding(db, accepted, problem))
    const { object, submissionId } = accepted
    yield { object, submissionId, sizeBytes, finding }
  }
}

async function rehash({ db, objects, onBytes }: ScrubContext, accepted: AcceptedObject, signal: AbortSignal) {
  const { object, sha256 } = accepted
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const bytes of objects.read(object)) {
      hash.update(bytes)
      const { length } = bytes
      sizeBytes += length
      signal.throwIfAborted()
      await onBytes?.(length)
    }
  } catch (error) {
    // Other errors, such as an outage, say nothing about the object. The scrub stops and resumes here later.
    if (!(error instanceof ObjectUnreadable)) throw error
    // It may have been erased since the names were read.
    const isAccepted = (await acceptedAmong(db, [object])).has(object)
    const problem = (await objects.inspect(object)) === undefined ? 'missing' : 'damaged'
    return { accepted, sizeBytes, problem: isAccepted ? problem : undefined } as const
  }
  const problem = hash.digest('hex') === sha256 ? undefined : 'damaged'
  return { accepted, sizeBytes, problem } as const
}

const MAX_LISTED = 1000

/** What is in it: of its submission, or of any kit that has the file that all kits have. */
async function describeFinding(
  db: Kysely<Database>,
  { object, submissionId }: AcceptedObject,
  problem: Problem,
): Promise<ScrubFinding> {
  const kits = db.selectFrom('kits').select(['kit_id', 'entries']).orderBy('kit_id').limit(MAX_LISTED)
  const ofSubmission = db.selectFrom('submissions').select('job_id').where('submission_id', '=', submissionId)
  const found = await (
    submissionId === null
      ? kits.where('entries', 'like', `%${object}%`)
      : kits.where('job_id', '=', ofSubmission)
  ).execute()
  const evidence = await db
    .selectFrom('evidence')
    .select(['submission_id', 'name'])
    .where('submission_id', '=', submissionId)
    .where('object', '=', object)
    .orderBy('position')
    .limit(MAX_LISTED)
    .execute()
  const named = found.map(({ kit_id, entries }) => ({ kit_id, paths: pathsIn(entries, object) }))
  return { object, problem, kits: named.filter(({ paths }) => paths.length > 0), evidence }
}

function pathsIn(entries: string, object: string): readonly string[] {
  return parseEntries(entries)
    .filter((entry) => entry.object === object)
    .map(({ path }) => path)
}
