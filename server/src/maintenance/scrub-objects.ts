import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { parseEntries } from '../kits/kit-entries.ts'
import { ObjectUnreadable, type ObjectStore } from '../objects/object-store.ts'
import { atOnce, inOrder } from './in-order.ts'
import { referencedAmong, referencedNames } from './referenced-objects.ts'

export interface ScrubContext {
  readonly db: Kysely<Database>
  readonly objects: Pick<ObjectStore, 'read' | 'has'> & Partial<Pick<ObjectStore, 'isRemote'>>
  /** How many objects are read at once. */
  readonly most?: number
  /** Called with the size of each chunk; may wait, to limit the rate. */
  readonly onBytes?: (bytes: number) => Promise<void>
}

export interface Scrubbed {
  readonly sha256: string
  readonly sizeBytes: number
  readonly finding: ScrubFinding | undefined
}

/** A missing or damaged object. */
export interface ScrubFinding {
  readonly sha256: string
  readonly problem: 'missing' | 'damaged'
  /** Affected files of kits. */
  readonly kits: readonly { readonly kit_id: string; readonly paths: readonly string[] }[]
  /** Affected uploads. */
  readonly evidence: readonly { readonly submission_id: string; readonly name: string }[]
}

/** Reads and hashes every referenced object, many at once, and reports them in name order, starting after `after`. */
export async function* scrubObjects(ctx: ScrubContext, after = ''): AsyncGenerator<Scrubbed> {
  const { db, objects, most = atOnce(objects) } = ctx
  const work = (sha256: string, signal: AbortSignal): Promise<Rehashed> => rehash(ctx, sha256, signal)
  for await (const { sha256, sizeBytes, problem } of inOrder(referencedNames(db, after), most, work))
    yield {
      sha256,
      sizeBytes,
      finding: problem === undefined ? undefined : await describeFinding(ctx.db, sha256, problem),
    }
}

interface Rehashed {
  readonly sha256: string
  readonly sizeBytes: number
  readonly problem: ScrubFinding['problem'] | undefined
}

async function rehash(
  { db, objects, onBytes }: ScrubContext,
  sha256: string,
  signal: AbortSignal,
): Promise<Rehashed> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const bytes of objects.read(sha256)) {
      hash.update(bytes)
      const { length } = bytes
      sizeBytes += length
      signal.throwIfAborted()
      await onBytes?.(length)
    }
  } catch (error) {
    // Other errors, such as an outage, say nothing about the object. The scrub stops and resumes here later.
    if (!(error instanceof ObjectUnreadable)) throw error
    return { sha256, sizeBytes, problem: await problemIfReferenced(db, objects, sha256) }
  }
  return { sha256, sizeBytes, problem: hash.digest('hex') === sha256 ? undefined : 'damaged' }
}

/** The kit may have expired, and its object been deleted, since the names were read. */
async function problemIfReferenced(
  db: Kysely<Database>,
  objects: ScrubContext['objects'],
  sha256: string,
): Promise<ScrubFinding['problem'] | undefined> {
  if ((await referencedAmong(db, [sha256])).size === 0) return undefined
  return (await objects.has(sha256)) ? 'damaged' : 'missing'
}

const MAX_LISTED = 1000

async function describeFinding(
  db: Kysely<Database>,
  sha256: string,
  problem: ScrubFinding['problem'],
): Promise<ScrubFinding> {
  const named = [...new Set([...(await kitsWith(db, sha256)), ...(await kitsWithEvidence(db, sha256))])]
  const kits =
    named.length === 0
      ? []
      : await db
          .selectFrom('kits')
          .select(['kit_id', 'entries'])
          .where('kit_id', 'in', named)
          .orderBy('kit_id')
          .limit(MAX_LISTED)
          .execute()
  const evidence = await db
    .selectFrom('evidence')
    .select(['submission_id', 'name'])
    .where('sha256', '=', sha256)
    .orderBy('submission_id')
    .limit(MAX_LISTED)
    .execute()
  return {
    sha256,
    problem,
    kits: kits.map(({ kit_id, entries }) => ({ kit_id, paths: pathsIn(entries, sha256) })),
    evidence,
  }
}

const kitsWith = async (db: Kysely<Database>, sha256: string): Promise<readonly KitId[]> =>
  (
    await db
      .selectFrom('kit_objects')
      .select('kit_id')
      .where('sha256', '=', sha256)
      .orderBy('kit_id')
      .limit(MAX_LISTED)
      .execute()
  ).map(({ kit_id }) => kit_id)

/** Kits refer to the evidence of their own submission through it. */
const kitsWithEvidence = async (db: Kysely<Database>, sha256: string): Promise<readonly KitId[]> =>
  (
    await db
      .selectFrom('evidence')
      .innerJoin('submissions', 'submissions.submission_id', 'evidence.submission_id')
      .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
      .select('kits.kit_id')
      .where('evidence.sha256', '=', sha256)
      .where('submissions.status', '<>', 'EXPIRED')
      .orderBy('evidence.submission_id')
      .limit(MAX_LISTED)
      .execute()
  ).map(({ kit_id }) => kit_id)

function pathsIn(entries: string, sha256: string): readonly string[] {
  return parseEntries(entries)
    .filter(({ object }) => object === sha256)
    .map(({ path }) => path)
}
