import { sql } from 'kysely'
import type { Clock } from '../runtime/clock.ts'
import { isShared } from './dialect.ts'
import type { Db } from './schema.ts'

/** The clocks of the machine. */
export interface NodeClock extends Clock {
  /** Milliseconds that never jump, since any moment. */
  monotonic(): number
}

export const systemNodeClock: NodeClock = { now: () => Date.now(), monotonic: () => performance.now() }

/** The time of the database, which all nodes share, whatever their own clocks show. */
export interface DatabaseClock extends Clock, Disposable {
  /** Asks the database, unless it did so just now. Throws if it is unavailable; `now` then continues without it. */
  sync(): Promise<void>
  /** By how much the node's own clock is ahead; negative if it is behind. */
  skewMs(): number
}

const SYNC_EVERY_MS = 10_000
/** For so long an answer is used again, so that not every signature is a round trip. */
const FRESH_MS = 1000
/** If the clocks of the machine differ by more than before, one was set or the machine was suspended. */
const MAX_DRIFT_MS = 100
/** A smaller correction never sets the time back; a larger one means that the database's clock was wrong. */
const MAX_HELD_MS = 5000

/** SQLite has no clock of its own: there the node's clock is used as it is. */
export async function databaseClock(db: Db, node: NodeClock = systemNodeClock): Promise<DatabaseClock> {
  if (!isShared(db))
    return { now: () => node.now(), sync: async () => {}, skewMs: () => 0, [Symbol.dispose]: () => {} }
  const { earliest, latest } = await askDatabase(db, node)
  let offset = (earliest + latest) / 2
  let last = 0
  const clocks = () => ({ monotonic: node.monotonic(), aheadMs: node.now() - node.monotonic() })
  let asked = clocks()

  const now = (): number => {
    const time = Math.round(node.monotonic() + offset)
    const isHeld = time < last && last - time <= MAX_HELD_MS
    if (!isHeld) last = time
    return last
  }
  const ask = async (): Promise<void> => {
    const before = clocks()
    const answer = await askDatabase(db, node)
    // Within what the round trip leaves open, the answer is no news.
    if (offset < answer.earliest || offset > answer.latest) offset = (answer.earliest + answer.latest) / 2
    asked = before
  }
  const isFresh = (): boolean => {
    const { monotonic, aheadMs } = clocks()
    const ageMs = monotonic - asked.monotonic
    return ageMs >= 0 && ageMs < FRESH_MS && Math.abs(aheadMs - asked.aheadMs) < MAX_DRIFT_MS
  }
  const sync = async (): Promise<void> => void (isFresh() || (await ask()))
  const timer = setInterval(() => void ask().catch(() => {}), SYNC_EVERY_MS).unref()
  return { now, sync, skewMs: () => node.now() - now(), [Symbol.dispose]: () => clearInterval(timer) }
}

/** What to add to the monotonic clock. The database read its clock at some moment between request and response. */
async function askDatabase(
  db: Db,
  node: NodeClock,
): Promise<{ readonly earliest: number; readonly latest: number }> {
  const before = node.monotonic()
  const { rows } = await sql<{ ms: string }>`
    select (extract(epoch from clock_timestamp()) * 1000)::text as ms`.execute(db)
  const after = node.monotonic()
  const ms = Number(rows[0]?.ms)
  if (!Number.isFinite(ms)) throw new Error('the database returned no time')
  return { earliest: ms - after, latest: ms - before }
}
