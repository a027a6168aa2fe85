import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Kysely } from 'kysely'
import type { Config } from '../settings/config.ts'
import type { Database } from '../database/schema.ts'
import { lockSqlite } from '../database/sqlite-copy.ts'
import { readLog } from '../log/log-key.ts'
import { highestOf } from '../log/log-mark.ts'
import { openMarks } from '../log/open-mark.ts'
import { openObjects } from '../objects/open-objects.ts'
import { sqliteFile } from '../database/sqlite.ts'
import { type Filled, fillStore, rejectProblems } from './fill-store.ts'
import type { OnProgress } from './progress.ts'
import { readKeyFiles, storeSource } from './record-source.ts'
import { schemaVersion } from '../database/create-schema.ts'
import { copiedSnapshot, lockedSnapshot, type Snapshot } from './snapshot.ts'
import { TransferRefused } from './transfer-error.ts'
import { countKits, verifyKits } from './verify-kits.ts'

/**
 * Copies everything to another store: from SQLite or PostgreSQL, from a folder or S3, to any of them. The source is locked
 * meanwhile and not changed. An interrupted move can be repeated; objects that were copied are verified and skipped.
 */
export async function moveStore(
  from: Config,
  to: Config,
  onProgress: OnProgress = () => {},
): Promise<Filled> {
  checkDifferent(from, to)
  await using snapshot = await lockSource(from)
  const objects = openObjects(from.objects)
  try {
    const total = await countKits(snapshot.db)
    const here = await verifyKits(snapshot.db, objects, (done) =>
      onProgress({ step: 'Verifying kits before the move', done, total }),
    )
    rejectProblems(here.problems)
    const keys = await readKeyFiles(join(from.dataFolder, 'keys'))
    const source = {
      ...storeSource(snapshot.db, objects, keys),
      beforeCommit: () => copyMark(snapshot.db, from, to),
    }
    return await fillStore(to, source, (await schemaVersion(snapshot.db)) ?? 0, onProgress)
  } finally {
    await objects.close()
  }
}

function checkDifferent(from: Config, to: Config): void {
  const isSame =
    from.databaseUrl === undefined && to.databaseUrl === undefined
      ? resolve(from.dataFolder) === resolve(to.dataFolder)
      : from.databaseUrl === to.databaseUrl
  if (isSame) throw new TransferRefused('The target is the source. Choose another one. Nothing was changed.')
}

async function lockSource(from: Config): Promise<Snapshot> {
  if (from.databaseUrl !== undefined) {
    const snapshot = await lockedSnapshot(from.databaseUrl)
    if (snapshot === undefined)
      throw new TransferRefused(
        'A node is connected to the database of the source. Stop every node first. Nothing was changed.',
      )
    return snapshot
  }
  const file = sqliteFile(from)
  if (!existsSync(file)) throw new TransferRefused(`${from.dataFolder} has no database to move.`)
  await using stack = new AsyncDisposableStack()
  const locked = lockSqlite(file)
  if (locked === undefined)
    throw new TransferRefused(
      `The service is running on ${from.dataFolder}. Stop it first. Nothing was changed.`,
    )
  stack.use(locked)
  const { db } = stack.use(
    await copiedSnapshot(join(from.dataFolder, '.move.sqlite'), (path) => locked.copy(path)),
  )
  const held = stack.move()
  return { db, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

/** So that the new service knows what the old one has signed. */
async function copyMark(db: Kysely<Database>, from: Config, to: Config): Promise<void> {
  const log = await readLog(db)
  if (log === undefined) return
  await using source = openMarks(from)
  await using target = openMarks(to)
  for (const head of highestOf(await (await source.of(log)).read())) await (await target.of(log)).record(head)
}
