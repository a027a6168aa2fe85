import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { ApiKeyId, SessionId } from '../runtime/identifiers.ts'
import type { EventLog } from '../runtime/logger.ts'

const EVERY_MS = 10_000

export type LastUse = ReturnType<typeof watchLastUse>

/** When keys and sessions were last used. Written in batches, so that requests need no write. */
export function watchLastUse(db: Db, clock: Clock, log: EventLog) {
  const keys = new Map<ApiKeyId, number>()
  const sessions = new Map<SessionId, number>()

  const flush = async (): Promise<void> => {
    const [usedKeys, usedSessions] = [inOrder(keys), inOrder(sessions)]
    if (usedKeys.length + usedSessions.length === 0) return
    try {
      await transact(db, async (trx) => {
        for (const [keyId, ms] of usedKeys)
          await trx
            .updateTable('api_keys')
            .set({ last_used_at: timestamp(ms) })
            .where('key_id', '=', keyId)
            .execute()
        for (const [sessionId, ms] of usedSessions)
          await trx
            .updateTable('sessions')
            .set({ last_seen_at: timestamp(ms) })
            .where('session_id', '=', sessionId)
            .where('last_seen_at', '<', timestamp(ms))
            .where('ended_at', 'is', null)
            .execute()
      })
      for (const [id, ms] of usedKeys) if (keys.get(id) === ms) keys.delete(id)
      for (const [id, ms] of usedSessions) if (sessions.get(id) === ms) sessions.delete(id)
    } catch (error) {
      log.error({ err: error }, 'last use of API keys and sessions not recorded')
    }
  }

  const timer = setInterval(() => void flush(), EVERY_MS).unref()
  return {
    keyUsed: (id: ApiKeyId): void => void keys.set(id, clock.now()),
    sessionUsed: (id: SessionId): void => void sessions.set(id, clock.now()),
    /** The last use that is not written yet. */
    seenMs: (id: SessionId): number => sessions.get(id) ?? 0,
    /** Writes the rest. */
    stop: (): Promise<void> => {
      clearInterval(timer)
      return flush()
    },
  }
}

/** The same order on every node prevents deadlocks. */
const inOrder = <Id extends string>(used: ReadonlyMap<Id, number>) =>
  [...used].toSorted(([a], [b]) => (a < b ? -1 : 1))
