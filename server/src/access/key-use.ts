import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { ApiKeyId } from '../runtime/identifiers.ts'
import type { EventLog } from '../runtime/logger.ts'

const FLUSH_EVERY_MS = 10_000

/** Tracks when each key was last used. Written in batches, so that requests need no write. */
export type KeyUse = ReturnType<typeof watchKeyUse>

export function watchKeyUse(db: Db, clock: Clock, log: EventLog) {
  let seen = new Map<ApiKeyId, number>()

  const flush = async (): Promise<void> => {
    if (seen.size === 0) return
    const batch = seen
    seen = new Map()
    try {
      // The same order on every node prevents deadlocks.
      const inOrder = [...batch].toSorted(([a], [b]) => (a < b ? -1 : 1))
      await transact(db, async (trx) => {
        for (const [keyId, at] of inOrder) {
          const last_used_at = timestamp(at)
          await trx.updateTable('api_keys').set({ last_used_at }).where('key_id', '=', keyId).execute()
        }
      })
    } catch (error) {
      for (const [keyId, at] of batch) if (!seen.has(keyId)) seen.set(keyId, at)
      log.error({ err: error }, 'last use of API keys not recorded')
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS).unref()
  return {
    used: (keyId: ApiKeyId): void => void seen.set(keyId, clock.now()),
    flush,
    /** Flushes and stops. */
    stop: (): Promise<void> => {
      clearInterval(timer)
      return flush()
    },
  }
}
