import { createHash } from 'node:crypto'
import { startPage } from '@kitseal/kit/internal/node'
import { timestamp } from '../runtime/clock.ts'
import { condemnErased } from './condemn-erased.ts'
import { condemnUnused } from './condemn-unused.ts'
import type { MaintenanceContext } from './maintenance-context.ts'
import type { Outcome } from '../tasks/run-tasks.ts'
import { sweepOrphans } from './sweep-orphans.ts'
import { progressOf } from './task-progress.ts'

const HOUR_MS = 60 * 60 * 1000
/** Listing millions of objects takes thousands of requests. */
const LIST_EVERY_MS = 6 * HOUR_MS
/** Longer than any transaction: what was erased earlier is committed. */
const OVERLAP_MS = 10 * 60 * 1000

export type SweepTaskContext = Pick<
  MaintenanceContext,
  'db' | 'objects' | 'clock' | 'config' | 'log' | 'issuer'
> & { readonly sliceSize?: number }

/** Removes orphans. A pass over the store saves its place after each slice, and any node resumes it there. */
export async function sweepInBackground(ctx: SweepTaskContext, isStopping: () => boolean): Promise<Outcome> {
  const { db, objects, clock, config, log } = ctx
  const progress = await progressOf(ctx, 'orphans')
  const graceMs = config.orphanGraceHours * HOUR_MS
  const now = clock.now()
  const { total = 0, listedAt = '', cursor: after = '', erasedUntil } = progress.state
  const spare = new Set([createHash('sha256').update(startPage(ctx.issuer)).digest('hex')])
  const since = erasedUntil === undefined ? now - LIST_EVERY_MS : Date.parse(erasedUntil) - OVERLAP_MS
  await condemnErased(ctx, timestamp(since), spare)
  await condemnUnused({ ...ctx, isStopping }, spare)
  const listing = after !== '' || listedAt <= timestamp(now - LIST_EVERY_MS)
  const state = { total, listedAt, cursor: after, erasedUntil: timestamp(now) }
  const onSlice = async (cursor: string): Promise<boolean> => {
    state.cursor = cursor
    if (cursor === '') state.listedAt = timestamp(now)
    await progress.save(state, false)
    return true
  }
  const size = ctx.sliceSize === undefined ? {} : { sliceSize: ctx.sliceSize }
  const sweep = { db, objects, clock, graceMs, spare, listing, after, isStopping, onSlice }
  const swept = await sweepOrphans({ ...sweep, ...size })
  if (swept.removed + swept.abandoned > 0) log.info({ ...swept }, 'orphans swept')
  state.total += swept.removed
  await progress.save(state, !isStopping())
  return isStopping() ? { is: 'again', fault: 'none', delayMs: 0 } : { is: 'done' }
}
