import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { SessionId } from '../runtime/identifiers.ts'
import type { EventLog } from '../runtime/logger.ts'

const FLUSH_EVERY_MS = 15_000
const FLUSHES_PER_SWEEP = 40
/** Ended sessions are kept for investigations. */
const RETENTION_MS = 30 * 24 * 60 * 60_000

/** Tracks when each session was last used. Written in batches, so that requests need no write. */
export type SessionUse = ReturnType<typeof watchSessionUse>

export function watchSessionUse(db: Db, clock: Clock, log: EventLog) {
  const seen = new Map<SessionId, number>()
  let flushes = 0

  const flush = async (): Promise<void> => {
    flushes += 1
    const batch = [...seen]
    try {
      for (const [sessionId, at] of batch) {
        await db
          .updateTable('sessions')
          .set({ last_seen_at: timestamp(at) })
          .where('session_id', '=', sessionId)
          .where('last_seen_at', '<', timestamp(at))
          .where('ended_at', 'is', null)
          .execute()
        if (seen.get(sessionId) === at) seen.delete(sessionId)
      }
      if (flushes % FLUSHES_PER_SWEEP === 0) await sweepConsole(db, clock)
    } catch (error) {
      log.error({ err: error }, 'last use of sessions not recorded')
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS).unref()
  return {
    seen: (sessionId: SessionId): void => void seen.set(sessionId, clock.now()),
    /** The last use that is not written yet. */
    lastSeen: (sessionId: SessionId): number | undefined => seen.get(sessionId),
    flush,
    stop: (): Promise<void> => {
      clearInterval(timer)
      return flush()
    },
  }
}

/** Deletes expired ceremonies and old sessions. */
export async function sweepConsole(db: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('ceremonies').where('expires_at', '<=', timestamp(now)).execute()
  await db
    .deleteFrom('sessions')
    .where('ends_at', '<=', timestamp(now - RETENTION_MS))
    .execute()
}
