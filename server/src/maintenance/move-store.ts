import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../database/schema.ts'
import { lockSqlite } from '../database/sqlite-copy.ts'
import { readLog } from '../log/log-key.ts'
import { highestOf } from '../log/log-mark.ts'
import { openMarks } from '../log/open-mark.ts'
import { openObjects } from '../objects/open-objects.ts'
import { sqliteFile } from '../database/sqlite.ts'
import { type Filled, fillStore, rejectProblems } from './fill-store.ts'
import { readKeyFiles, storeSource } from './record-source.ts'
import { migrationsOf } from './records.ts'
import { copiedSnapshot } from './snapshot.ts'
import { TransferRefused } from './transfer-error.ts'
import { verifyKits } from './verify-kits.ts'

/**
 * Copies everything from SQLite to another store. The source is locked meanwhile and not changed. An interrupted move can
 * be repeated; objects that were copied are skipped.
 */
export async function moveStore(
  from: Config,
  to: Config,
  onProgress: (text: string) => void = () => {},
): Promise<Filled> {
  const file = sqliteFile(from)
  if (from.databaseUrl !== undefined || !existsSync(file))
    throw new TransferRefused(
      `A move needs a SQLite database as its source, and ${from.dataFolder} has none.`,
    )
  using locked = lockSqlite(file)
  if (locked === undefined)
    throw new TransferRefused(
      `The service is running on ${from.dataFolder}. Stop it first. Nothing was changed.`,
    )
  await using snapshot = await copiedSnapshot(join(from.dataFolder, '.move.sqlite'), (path) =>
    locked.copy(path),
  )
  const objects = openObjects(from.objects)
  const here = await verifyKits(snapshot.db, objects, (count) => onProgress(`kits verified before ${count}`))
  rejectProblems(here.problems)
  const keys = await readKeyFiles(join(from.dataFolder, 'keys'))
  const filled = await fillStore(
    to,
    storeSource(snapshot.db, objects, keys),
    await migrationsOf(snapshot.db),
    onProgress,
  )
  await objects.close()
  await copyMark(snapshot.db, from, to)
  return filled
}

/** So that the new service knows what the old one has signed. */
async function copyMark(db: Kysely<Database>, from: Config, to: Config): Promise<void> {
  const log = await readLog(db)
  if (log === undefined) return
  await using source = openMarks(from)
  await using target = openMarks(to)
  for (const head of highestOf(await (await source.of(log)).read())) await (await target.of(log)).record(head)
}
