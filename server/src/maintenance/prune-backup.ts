import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { Config } from '../settings/config.ts'
import type { Database } from '../database/schema.ts'
import { openSqlite, sqliteFile } from '../database/sqlite.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { manyAtOnce, paceFor } from './many-at-once.ts'
import { referencedAmong } from './referenced-objects.ts'
import type { OnProgress } from './progress.ts'

/**
 * Deletes copies that the backup no longer refers to, such as erased evidence. Call it after the index is written: the previous
 * backup may refer to them.
 */
export async function pruneCopies(
  copies: Pick<ObjectStore, 'delete' | 'isRemote'>,
  names: readonly string[],
  onProgress: OnProgress = () => {},
): Promise<void> {
  const remove = async (sha256: string) => {
    await copies.delete(sha256)
    return { sizeBytes: 0 }
  }
  let done = 0
  for await (const _ of manyAtOnce(Readable.from(names), remove, { pace: paceFor(copies) }))
    onProgress({ step: 'Removing what was erased from the backup', done: (done += 1), total: names.length })
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
