import { timestamp } from '../runtime/clock.ts'
import type { Outcome } from '../tasks/run-tasks.ts'

import { type MaintenanceContext, progressOf } from './task-progress.ts'
import { atOnce, inOrder } from './copy-objects.ts'

const HOUR_MS = 60 * 60 * 1000
const PAGE = 500
/** Listing millions of objects takes thousands of requests. */
const LIST_EVERY_MS = 6 * HOUR_MS
/** Longer than any process is stopped between storing an object and accepting it. */
const FORGET_AFTER_MS = 24 * HOUR_MS

type SweepContext = Pick<MaintenanceContext, 'db' | 'objects' | 'clock' | 'config'>

/** Deletes what was erased and, every six hours, what was never accepted. Any node resumes where one has stopped. */
export async function sweepInBackground(
  ctx: SweepContext & Pick<MaintenanceContext, 'log'>,
  stopping: AbortSignal,
): Promise<Outcome> {
  const progress = await progressOf(ctx, 'orphans')
  const now = timestamp(ctx.clock.now())
  let { total = 0, listedAt = '', cursor = '' } = progress.state
  const save = (finished: boolean) => progress.save({ total, listedAt, cursor }, finished)
  total += await eraseObjects(ctx, stopping)
  if (cursor !== '' || listedAt <= timestamp(ctx.clock.now() - LIST_EVERY_MS)) {
    const removed = await sweepUnaccepted(ctx, cursor, async (resumeAt) => {
      cursor = resumeAt
      if (cursor === '') listedAt = now
      await save(false)
      return !stopping.aborted
    })
    if (removed > 0) ctx.log.info({ removed }, 'removed what was never accepted')
    total += removed
  }
  await save(!stopping.aborted)
  return stopping.aborted ? { is: 'again', fault: 'none', delayMs: 0 } : { is: 'done' }
}

/** Deletes the bytes of objects whose submission has expired, and then their rows; returns how many. */
export async function eraseObjects(ctx: SweepContext, stopping?: AbortSignal): Promise<number> {
  const { db, objects } = ctx
  const erase = async (object: string): Promise<void> => {
    await objects.delete(object)
    await db.deleteFrom('objects').where('object', '=', object).execute()
  }
  let erased = 0
  for await (const _ of inOrder(erasedObjects(ctx, stopping), atOnce(objects), erase)) erased += 1
  return erased
}

async function* erasedObjects({ db }: SweepContext, stopping?: AbortSignal): AsyncGenerator<string> {
  for (let after = { erased_at: '', object: '' }; ;) {
    const page = await db
      .selectFrom('objects')
      .select(['object', 'erased_at'])
      .where('erased_at', 'is not', null)
      .where('submission_id', 'is not', null)
      .where((eb) => eb(eb.refTuple('erased_at', 'object'), '>', eb.tuple(after.erased_at, after.object)))
      .orderBy('erased_at')
      .orderBy('object')
      .limit(PAGE)
      .execute()
    for (const { object } of page) {
      if (stopping?.aborted === true) return
      yield object
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = { erased_at: last.erased_at ?? '', object: last.object }
  }
}

/**
 * Deletes what was stored and never accepted, because the process was killed between. Lists the store from `after` on, page by page;
 * `onPage` is told where to resume, or '' at the end, and returns false to stop. Each object is first given up in the database, which
 * then accepts it no more, whatever the clocks say. Returns how many.
 */
export async function sweepUnaccepted(
  ctx: SweepContext,
  after = '',
  onPage: (cursor: string) => Promise<boolean> = async () => true,
): Promise<number> {
  const { db, objects, clock, config } = ctx
  const youngest = clock.now() - config.orphanGraceHours * HOUR_MS
  await db
    .deleteFrom('objects')
    .where('submission_id', 'is', null)
    .where('erased_at', '<=', timestamp(clock.now() - FORGET_AFTER_MS))
    .execute()
  let removed = await objects.sweepTemp()
  let [old, listed]: [string[], number] = [[], 0]
  const endPage = async (cursor: string): Promise<boolean> => {
    for (const object of await giveUp(ctx, old)) await objects.delete(object).then(() => (removed += 1))
    ;[old, listed] = [[], 0]
    return onPage(cursor)
  }
  for await (const { object, keptAtMs } of objects.list(after)) {
    listed += 1
    if (keptAtMs <= youngest) old.push(object)
    if (listed >= PAGE && !(await endPage(object))) return removed
  }
  await endPage('')
  return removed
}

/** Those that nobody has accepted. */
async function giveUp({ db, clock }: SweepContext, listed: readonly string[]): Promise<readonly string[]> {
  if (listed.length === 0) return []
  const isListed = db.selectFrom('objects').select('object').where('object', 'in', listed)
  const arriving = db.selectFrom('resumable_uploads').select('object').where('object', 'in', listed)
  const known = await isListed.union(arriving.where('finished_at', 'is', null)).execute()
  const accepted = new Set(known.map(({ object }) => object))
  const unknown = listed.filter((object) => !accepted.has(object))
  if (unknown.length === 0) return []
  const erased_at = timestamp(clock.now())
  const given = await db
    .insertInto('objects')
    .values(unknown.map((object) => ({ object, submission_id: null, sha256: '', size_bytes: 0, erased_at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('object')
    .execute()
  return given.map(({ object }) => object)
}
