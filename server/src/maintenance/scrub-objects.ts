import { createHash } from 'node:crypto'
import type { Db } from '../database/schema.ts'
import { parseEntries } from '../kits/kit-files.ts'
import { type AcceptedObject, acceptedAmong, acceptedObjects } from '../objects/accepted-objects.ts'
import { type ObjectStore, ObjectUnreadable } from '../objects/object-store.ts'
import { atOnce, inOrder } from './copy-objects.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Outcome } from '../tasks/run-tasks.ts'
import { type MaintenanceContext, progressOf, type TaskReport } from './task-progress.ts'
import { setTimeout as pause } from 'node:timers/promises'

interface ScrubContext {
  readonly db: Db
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
async function describeFinding(db: Db, { object, submissionId }: AcceptedObject, problem: Problem) {
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

/** A restart resumes there. */
const SAVE_EVERY_MS = 10 * 1000
const EMPTY_RETRY_MS = 60 * 1000

/** Reads everything that is stored, once, as slowly as the settings say. */
export async function scrub(
  ctx: Pick<MaintenanceContext, 'db' | 'objects' | 'config' | 'log' | 'clock'>,
  stopping: AbortSignal,
): Promise<Outcome> {
  const { db, objects, config, log } = ctx
  const progress = await progressOf(ctx, TASK)
  let { cursor = '', total = 0 } = progress.state
  /** Since it was last saved. */
  let added = 0
  const save = () => progress.save(({ found = 0 }) => ({ cursor, total, found: found + added }), false)
  let isEmpty = cursor === ''
  let savedAt = performance.now()
  const wait = limitRate(config.scrubBytesPerSecond, stopping)
  const onBytes = async (bytes: number): Promise<void> => {
    await wait(bytes)
    if (performance.now() - savedAt < SAVE_EVERY_MS) return
    savedAt = performance.now()
    await save()
    added = 0
  }
  try {
    for await (const scrubbed of scrubObjects({ db, objects, onBytes, most: 1 }, cursor)) {
      const { object, finding } = scrubbed
      ;[cursor, total] = [object, total + 1]
      isEmpty &&= scrubbed.submissionId === null
      if (finding === undefined) continue
      added += 1
      const some = { kits: finding.kits.slice(0, 20), evidence: finding.evidence.slice(0, 20) }
      log.error({ ...finding, ...some }, 'an object is missing or damaged')
    }
  } catch (error) {
    await save()
    // An object that was not read to its end is read again next time.
    if (stopping.aborted) return { is: 'again', fault: 'none', delayMs: 0 }
    throw error
  }
  // Nothing of anybody was found to be intact in a store that has only the program's own page.
  const ended = ({ found = 0 }) => ({ cursor: '', total, found: 0, foundLast: found + added })
  await progress.save(ended, !isEmpty)
  return isEmpty ? { is: 'again', fault: 'none', delayMs: EMPTY_RETRY_MS } : { is: 'done' }
}

const TASK = 'scrub'

/** A complete scrub by `kitseal admin scrub`. One in the background goes on, and forgets what it has found: it is repaired, or found again. */
export async function noteScrub(db: Db, clock: Clock, bad: number): Promise<void> {
  const { save } = await progressOf({ db, clock }, TASK)
  await save(() => ({ found: 0, foundLast: bad }), true)
}

/** When the last scrub finished, and what it or the present one has found. */
export function scrubReport(reports: ReadonlyMap<string, TaskReport>) {
  const { finishedAt, found = 0, foundLast = 0 } = reports.get(TASK) ?? { finishedAt: null }
  return { finishedAt, bad: Math.max(found, foundLast) }
}

const MIN_WAIT_MS = 50

/** Limits the average rate. Unused time counts for a second at most, so there are no long bursts. */
function limitRate(bytesPerSecond: number, stopping: AbortSignal): (bytes: number) => Promise<void> {
  let freeAt = performance.now()
  return async (bytes) => {
    freeAt = Math.max(freeAt, performance.now() - 1000) + (bytes / bytesPerSecond) * 1000
    const early = freeAt - performance.now()
    if (early >= MIN_WAIT_MS) await pause(early, undefined, { signal: stopping })
    stopping.throwIfAborted()
  }
}
