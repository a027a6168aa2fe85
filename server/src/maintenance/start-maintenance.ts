import { createHash } from 'node:crypto'
import { startPage } from '@kitseal/kit/node'
import { type Clock, timestamp } from '../clock.ts'
import type { Config } from '../config.ts'
import { alignLocks } from '../kits/lock-evidence.ts'
import type { Store } from '../open-store.ts'
import type { Log } from '../logger.ts'
import type { Identifiers } from '../identifiers.ts'
import { transact } from '../database/transact.ts'
import { remindSuppliers } from '../requests/request-mail.ts'
import { repeatRequests } from '../requests/repeat-requests.ts'
import { logHeads } from '../workspaces/audit-heads.ts'
import { hashArchives } from './hash-archives.ts'
import { expireKits } from './expire-kits.ts'
import { indexSubmissions } from './index-submissions.ts'
import { limitRate } from './limit-rate.ts'
import { scrubObjects } from './scrub-objects.ts'
import { condemnErased } from './condemn-erased.ts'
import { sweepOrphans } from './sweep-orphans.ts'
import { leaseTask, type Task, type TaskLease } from './task-leases.ts'

export interface MaintenanceContext extends Pick<Store, 'db' | 'objects' | 'signingKeys' | 'mail'> {
  readonly config: Pick<Config, 'scrubBytesPerSecond' | 'orphanGraceHours'>
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly owner: string
  readonly log: Pick<Log, 'info' | 'error'>
  /** The start page of kits names it. */
  readonly issuer: string
}

export interface Maintenance {
  stop(): Promise<void>
}

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const EVERY_MS: Readonly<Record<Task, number>> = {
  scrub: 24 * HOUR_MS,
  orphans: HOUR_MS / 4,
  retention: HOUR_MS / 4,
  archives: HOUR_MS,
  audit: HOUR_MS / 4,
  requests: HOUR_MS / 4,
  search: HOUR_MS / 4,
}
/** Listing millions of objects takes thousands of requests. */
const LIST_EVERY_MS = 6 * HOUR_MS
/** Less than the shortest orphan grace period. */
const PAGE_EVERY_MS = HOUR_MS / 4
const CHECK_EVERY_MS = MINUTE_MS
const FIRST_CHECK_MS = 2 * MINUTE_MS

/** Runs scrub, orphan sweep, retention, hashing and indexing of old kits, logging of audit heads and repetition of requests in the background. Each task runs on one node at a time. */
export function startMaintenance(ctx: MaintenanceContext): Maintenance {
  const state = { stopping: false }
  const isStopping = (): boolean => state.stopping
  const tasks: Readonly<Record<Task, (lease: TaskLease) => Promise<void>>> = {
    scrub: (lease) => scrub(ctx, lease, isStopping),
    orphans: (lease) => orphans(ctx, lease, isStopping),
    retention: (lease) => retention(ctx, lease),
    archives: (lease) => archives(ctx, lease, isStopping),
    audit: (lease) => audit(ctx, lease),
    requests: (lease) => requests(ctx, lease),
    search: (lease) => search(ctx, lease, isStopping),
  }
  const running = new Map<Task, Promise<void>>()

  const attempt = async (task: Task): Promise<void> => {
    try {
      const lease = await leaseTask(ctx, task, EVERY_MS[task])
      if (lease === undefined) return
      await tasks[task](lease).finally(() => lease.release())
    } catch (error) {
      if (!state.stopping) ctx.log.error({ err: error, task }, 'maintenance failed')
    }
  }

  const runDueTasks = (): void => {
    for (const task of Object.keys(tasks) as Task[]) {
      if (running.has(task) || (task === 'scrub' && ctx.config.scrubBytesPerSecond === 0)) continue
      running.set(
        task,
        attempt(task).finally(() => running.delete(task)),
      )
    }
  }
  // Future kits need the start page, but no record refers to it yet. Storing it again keeps it from being an old orphan.
  const storePage = (): void => {
    ctx.objects
      .put(startPage(ctx.issuer))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'cannot store the start page'))
  }
  const page = setInterval(storePage, PAGE_EVERY_MS).unref()
  const next = (afterMs: number): NodeJS.Timeout =>
    setTimeout(() => {
      runDueTasks()
      timer = next(CHECK_EVERY_MS)
    }, afterMs).unref()
  let timer = next(FIRST_CHECK_MS)
  return {
    stop: async () => {
      state.stopping = true
      clearInterval(page)
      clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}

/** Saving progress lets a restart resume, and renews the lease during a large object. */
const SAVE_EVERY_MS = 10 * 1000

export async function scrub(
  ctx: Pick<MaintenanceContext, 'db' | 'objects' | 'config' | 'log'>,
  lease: TaskLease,
  isStopping: () => boolean,
): Promise<void> {
  const { db, objects, config, log } = ctx
  let { cursor = '', total = 0, found = 0, foundLast = 0 } = lease.state
  let [savedAt, isMine] = [performance.now(), true]
  const isOver = (): boolean => isStopping() || !isMine
  const wait = stoppableRateLimit(config.scrubBytesPerSecond, isOver)
  const onBytes = async (bytes: number): Promise<void> => {
    await wait(bytes)
    if (isOver()) throw new ScrubStopped()
    if (performance.now() - savedAt < SAVE_EVERY_MS) return
    savedAt = performance.now()
    isMine = await lease.save({ cursor, total, found, foundLast }, false)
  }
  try {
    for await (const { sha256, finding } of scrubObjects({ db, objects, onBytes }, cursor)) {
      ;[cursor, total] = [sha256, total + 1]
      if (finding === undefined) continue
      found += 1
      const some = { kits: finding.kits.slice(0, 20), evidence: finding.evidence.slice(0, 20) }
      log.error({ ...finding, ...some }, 'an object is missing or damaged')
    }
    await lease.save({ cursor: '', total, found: 0, foundLast: found }, true)
  } catch (error) {
    if (isMine) await lease.save({ cursor, total, found, foundLast }, false)
    if (!(error instanceof ScrubStopped)) throw error
  }
}

/** Stopped in the middle of an object, which is read again next time. */
class ScrubStopped extends Error {
  override readonly name = 'ScrubStopped'
}

/** Waits in short steps, so that a shutdown does not wait for it. */
function stoppableRateLimit(
  bytesPerSecond: number,
  isStopping: () => boolean,
): (bytes: number) => Promise<void> {
  const wait = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0 && !isStopping(); left -= 100)
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, 100)))
  }
  return limitRate({ bytesPerSecond, wait })
}

async function orphans(ctx: MaintenanceContext, lease: TaskLease, isStopping: () => boolean): Promise<void> {
  const { db, objects, clock, config, log } = ctx
  const graceMs = config.orphanGraceHours * HOUR_MS
  const { total = 0, listedAt = '' } = lease.state
  const now = timestamp(clock.now())
  const listing = listedAt <= timestamp(clock.now() - LIST_EVERY_MS)
  const spare = new Set([createHash('sha256').update(startPage(ctx.issuer)).digest('hex')])
  const aligned = await alignLocks(ctx)
  if (aligned.locked + aligned.unlocked > 0) log.info({ ...aligned }, 'object locks aligned with legal holds')
  await condemnErased(ctx, timestamp(clock.now() - LIST_EVERY_MS), spare)
  const swept = await sweepOrphans({ db, objects, clock, graceMs, spare, listing, isStopping })
  if (swept.removed + swept.abandoned > 0) log.info({ ...swept }, 'orphans swept')
  await lease.save({ total: total + swept.removed, listedAt: listing ? now : listedAt }, true)
}

async function retention(ctx: MaintenanceContext, lease: TaskLease): Promise<void> {
  const expired = await expireKits(ctx)
  if (expired > 0) ctx.log.info({ expired }, 'kits expired')
  await lease.save({ total: (lease.state.total ?? 0) + expired }, true)
}

async function audit(ctx: MaintenanceContext, lease: TaskLease): Promise<void> {
  const logged = await logHeads(ctx)
  await lease.save({ total: (lease.state.total ?? 0) + logged }, true)
}

async function requests(ctx: MaintenanceContext, lease: TaskLease): Promise<void> {
  const repeated = await repeatRequests(ctx)
  await remindSuppliers(ctx, (work) => transact(ctx.db, work))
  await lease.save({ total: (lease.state.total ?? 0) + repeated.length }, true)
}

async function search(ctx: MaintenanceContext, lease: TaskLease, isStopping: () => boolean): Promise<void> {
  const indexed = await indexSubmissions({ db: ctx.db, isStopping })
  if (indexed > 0) ctx.log.info({ indexed }, 'submissions indexed')
  await lease.save({ total: (lease.state.total ?? 0) + indexed }, !isStopping())
}

async function archives(ctx: MaintenanceContext, lease: TaskLease, isStopping: () => boolean): Promise<void> {
  const { db, objects, log, config } = ctx
  const rate = config.scrubBytesPerSecond
  const limit = rate === 0 ? {} : { onBytes: stoppableRateLimit(rate, isStopping) }
  const { total = 0 } = lease.state
  const onStored = (count: number): Promise<boolean> => lease.save({ total: total + count }, false)
  const stored = await hashArchives({ db, objects, log, isStopping, onStored, ...limit })
  if (stored > 0) log.info({ stored }, 'archives hashed')
  await lease.save({ total: total + stored }, !isStopping())
}
