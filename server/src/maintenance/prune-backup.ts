// docs/decisions/0274
import type { Kysely } from 'kysely'
import type { Config } from '../settings/config.ts'
import type { Database } from '../database/schema.ts'
import { openSqlite, sqliteFile } from '../database/sqlite.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { manyAtOnce, paceFor } from './many-at-once.ts'
import { referencedAmong } from './referenced-objects.ts'
import { shareUpTo, type OnProgress } from './progress.ts'

/**
 * Deletes copies that the backup no longer refers to, such as erased evidence; returns how many. `names` are in order.
 * Call it after the index is written: the previous backup may refer to them.
 */
export async function pruneCopies(
  copies: Pick<ObjectStore, 'list' | 'delete' | 'isRemote'>,
  names: AsyncIterable<string>,
  onProgress: OnProgress = () => {},
): Promise<number> {
  let removed = 0
  const remove = async (sha256: string) => {
    await copies.delete(sha256)
    return { sha256, sizeBytes: 0 }
  }
  for await (const { sha256 } of manyAtOnce(unlisted(copies, names), remove, { pace: paceFor(copies) })) {
    removed += 1
    onProgress({ step: 'Removing erased objects from the backup', done: removed, share: shareUpTo(sha256) })
  }
  return removed
}

/** Both lists are in order. */
async function* unlisted(
  copies: Pick<ObjectStore, 'list'>,
  names: AsyncIterable<string>,
): AsyncGenerator<string> {
  const listed = names[Symbol.asyncIterator]()
  try {
    let next = await listed.next()
    for await (const { sha256 } of copies.list()) {
      while (next.done !== true && next.value < sha256) next = await listed.next()
      if (next.done === true || next.value !== sha256) yield sha256
    }
  } finally {
    await listed.return?.()
  }
}

const BATCH = 500

/** Which of these objects nothing refers to any more: they were erased after the snapshot. */
export async function erasedSince(config: Config, objects: readonly string[]): Promise<readonly string[]> {
  if (objects.length === 0) return []
  await using db = await openRecords(config)
  const erased: string[] = []
  for (let at = 0; at < objects.length; at += BATCH) {
    const batch = objects.slice(at, at + BATCH)
    const referenced = await referencedAmong(db, batch)
    erased.push(...batch.filter((sha256) => !referenced.has(sha256)))
  }
  return erased
}

export async function openRecords(config: Config): Promise<Kysely<Database>> {
  if (config.databaseUrl === undefined) return openSqlite(sqliteFile(config))
  const { postgresWithoutTimeouts } = await import('../database/postgres.ts')
  return postgresWithoutTimeouts(config.databaseUrl) as unknown as Kysely<Database>
}
