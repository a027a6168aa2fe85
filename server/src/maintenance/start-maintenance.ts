import { verifierPage } from '@kitseal/kit/node'
import { type Clock, timestamp } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Store } from '../open-store.ts'
import type { Log } from '../log.ts'
import { expireKits } from './expire-kits.ts'
import { pace } from './pace.ts'
import { scrubObjects } from './scrub-objects.ts'
import { sweepOrphans } from './sweep-orphans.ts'
import { type Task, takeTurn, type Turn } from './turns.ts'

export interface MaintenanceContext extends Pick<Store, 'db' | 'objects'> {
  readonly config: Pick<Config, 'scrubBytesPerSecond' | 'orphanGraceHours'>
  readonly clock: Clock
  readonly owner: string
  readonly log: Pick<Log, 'info' | 'error'>
  /** The page that kits take along. */
  readonly page: string
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
}
/** A store of many millions of objects takes thousands of requests to list. */
const LIST_EVERY_MS = 6 * HOUR_MS
/** Less than the shortest grace that orphans can have. */
const PAGE_EVERY_MS = HOUR_MS / 4
const LOOK_EVERY_MS = MINUTE_MS
/** A service that has just started has better things to do. */
const FIRST_LOOK_MS = 2 * MINUTE_MS

/** The care of what is stored, in the background: one node at a time for each task. */
export function startMaintenance(ctx: MaintenanceContext): Maintenance {
  const state = { stopping: false }
  const isStopping = (): boolean => state.stopping
  const tasks: Readonly<Record<Task, (turn: Turn) => Promise<void>>> = {
    scrub: (turn) => scrub(ctx, turn, isStopping),
    orphans: (turn) => orphans(ctx, turn, isStopping),
    retention: (turn) => retention(ctx, turn),
  }
  const running = new Map<Task, Promise<void>>()

  const attempt = async (task: Task): Promise<void> => {
    try {
      const turn = await takeTurn(ctx, task, EVERY_MS[task])
      if (turn === undefined) return
      await tasks[task](turn).finally(() => turn.end())
    } catch (error) {
      if (!state.stopping) ctx.log.error({ err: error, task }, 'maintenance failed')
    }
  }

  const look = (): void => {
    for (const task of Object.keys(tasks) as Task[]) {
      if (running.has(task) || (task === 'scrub' && ctx.config.scrubBytesPerSecond === 0)) continue
      running.set(
        task,
        attempt(task).finally(() => running.delete(task)),
      )
    }
  }
  // Kits to come take this node's page along, and no record says so yet: it is put again, so that it is never old.
  const keepPage = (): void => {
    ctx.objects
      .put(verifierPage())
      .catch((error: unknown) => ctx.log.error({ err: error }, 'the page of kits is not kept'))
  }
  const page = setInterval(keepPage, PAGE_EVERY_MS).unref()
  const next = (afterMs: number): NodeJS.Timeout =>
    setTimeout(() => {
      look()
      timer = next(LOOK_EVERY_MS)
    }, afterMs).unref()
  let timer = next(FIRST_LOOK_MS)
  return {
    stop: async () => {
      state.stopping = true
      clearInterval(page)
      clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}

/** How far a scrub came is written down now and then: a restart does not begin again, and a large object keeps the turn. */
const SAVE_EVERY_MS = 10 * 1000

export async function scrub(
  ctx: Pick<MaintenanceContext, 'db' | 'objects' | 'config' | 'log'>,
  turn: Turn,
  isStopping: () => boolean,
): Promise<void> {
  const { db, objects, config, log } = ctx
  let { cursor = '', total = 0, found = 0, foundLast = 0 } = turn.state
  let [savedAt, isMine] = [performance.now(), true]
  const isOver = (): boolean => isStopping() || !isMine
  const wait = stoppable(config.scrubBytesPerSecond, isOver)
  const passed = async (bytes: number): Promise<void> => {
    await wait(bytes)
    if (isOver()) throw new ScrubStopped()
    if (performance.now() - savedAt < SAVE_EVERY_MS) return
    savedAt = performance.now()
    isMine = await turn.save({ cursor, total, found, foundLast }, false)
  }
  try {
    for await (const { sha256, finding } of scrubObjects({ db, objects, pace: passed }, cursor)) {
      ;[cursor, total] = [sha256, total + 1]
      if (finding === undefined) continue
      found += 1
      const some = { kits: finding.kits.slice(0, 20), evidence: finding.evidence.slice(0, 20) }
      log.error({ ...finding, ...some }, 'an object is not what it was')
    }
    await turn.save({ cursor: '', total, found: 0, foundLast: found }, true)
  } catch (error) {
    if (isMine) await turn.save({ cursor, total, found, foundLast }, false)
    if (!(error instanceof ScrubStopped)) throw error
  }
}

/** In the middle of an object: it is read again at the next turn. */
class ScrubStopped extends Error {
  override readonly name = 'ScrubStopped'
}

/** A stop does not wait for a pause to end. */
function stoppable(bytesPerSecond: number, isStopping: () => boolean): (bytes: number) => Promise<void> {
  const wait = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0 && !isStopping(); left -= 100)
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, 100)))
  }
  return pace({ bytesPerSecond, wait })
}

async function orphans(ctx: MaintenanceContext, turn: Turn, isStopping: () => boolean): Promise<void> {
  const { db, objects, clock, config, log } = ctx
  const graceMs = config.orphanGraceHours * HOUR_MS
  const { total = 0, listedAt = '' } = turn.state
  const now = timestamp(clock.now())
  const listing = listedAt <= timestamp(clock.now() - LIST_EVERY_MS)
  const spare = new Set([ctx.page])
  const swept = await sweepOrphans({ db, objects, clock, graceMs, spare, listing, isStopping })
  if (swept.removed + swept.abandoned > 0) log.info({ ...swept }, 'orphans swept')
  await turn.save({ total: total + swept.removed, listedAt: listing ? now : listedAt }, true)
}

async function retention(ctx: MaintenanceContext, turn: Turn): Promise<void> {
  const expired = await expireKits(ctx)
  if (expired > 0) ctx.log.info({ expired }, 'kits expired')
  await turn.save({ total: (turn.state.total ?? 0) + expired }, true)
}
