import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { allTables } from '../database/create-schema.ts'
import { isShared } from '../database/dialect.ts'
import { takeLock } from '../database/lock-folder.ts'
import {
  openRecords,
  afterLoading,
  type OnProgress,
  TransferRefused,
  withoutTriggers,
} from './database-copy.ts'
import type { Db } from '../database/schema.ts'
import { sqliteFile } from '../database/sqlite.ts'
import type { Table } from '../database/table.ts'
import { readLog } from '../log/log-key.ts'
import { highestOf } from '../log/high-water-mark.ts'
import { openMarks } from '../log/high-water-mark.ts'
import { acceptedObjects } from '../objects/accepted-objects.ts'
import { openObjects } from '../objects/open-objects.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import { DECLARED } from '../tables.ts'
import { copyObjects } from './copy-objects.ts'
import { readKeyFiles, writeKeyFiles } from './recover-keys.ts'

/**
 * Copies everything to another store: from SQLite or PostgreSQL, from a folder or S3, to any of them. The source is stopped and
 * not changed. An interrupted move can be repeated: objects that were copied are skipped, and all rows are one commit.
 */
export async function moveStore(from: Config, to: Config, onProgress: OnProgress = () => {}) {
  const isSame =
    from.databaseUrl === undefined && to.databaseUrl === undefined
      ? resolve(from.dataFolder) === resolve(to.dataFolder)
      : from.databaseUrl === to.databaseUrl
  if (isSame) throw new TransferRefused('The target is the source. Choose another one. Nothing was changed.')
  if (from.databaseUrl === undefined && !existsSync(sqliteFile(from)))
    throw new TransferRefused(`${from.dataFolder} has no database to move.`)
  await using opened = new AsyncDisposableStack()
  if (from.databaseUrl === undefined) opened.use(lockStopped(from.dataFolder))
  const source = opened.use(await openRecords(from))
  const target = opened.use(await openRecords(to))
  const [here, there] = [openObjects(from.objects), openObjects(to.objects)]
  opened.defer(() => here.close())
  opened.defer(() => there.close())
  for (const { name } of allTables(DECLARED))
    if ((await sql`select 1 from ${sql.table(name)} limit 1`.execute(target)).rows.length > 0)
      throw new TransferRefused(`The target database is not empty (${name} has rows). Nothing was changed.`)
  return await source.transaction().execute(async (reading) => {
    if (isShared(reading)) await lockShared(reading)
    const copied = await copyObjects(acceptedObjects(reading), here, there, (progress) =>
      onProgress({ step: 'Copying objects', ...progress }),
    )
    const { bad } = copied
    if (bad.length > 0)
      throw new TransferRefused(
        `The source has missing or damaged objects (${bad.length}): ${bad.slice(0, 10).join(', ')}. Nothing was changed. Run "kitseal admin scrub" for what they belong to.`,
      )
    const keys = await readKeyFiles(join(from.dataFolder, 'keys'))
    const rows = await target.transaction().execute(async (trx) => {
      const written = await copyRows(reading, trx, to.signer.is === 'database', keys, onProgress)
      const at = timestamp(systemClock.now())
      for (const statement of afterLoading('the service was moved', at)) await sql.raw(statement).execute(trx)
      // Before the commit, because a second attempt is rejected once there are rows.
      if (to.signer.is !== 'database') await writeKeyFiles(join(to.dataFolder, 'keys'), keys)
      await copyMark(reading, from, to)
      return written
    })
    return { rows, objects: copied.copied + copied.present }
  })
}

function lockStopped(folder: string): Disposable {
  const lock = takeLock(folder)
  if (lock === undefined)
    throw new TransferRefused(`The service is running on ${folder}. Stop it first. Nothing was changed.`)
  return lock
}

const DISCONNECT_MS = 2000

/** A node must not write meanwhile. A connection that was just closed may still be listed. */
async function lockShared(db: Db): Promise<void> {
  for (const until = performance.now() + DISCONNECT_MS; ; await pause(100)) {
    await sql`select pg_stat_clear_snapshot()`.execute(db)
    const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
      and application_name = 'kitseal' and pid <> pg_backend_pid() limit 1`.execute(db)
    if (rows.length === 0) break
    if (performance.now() > until)
      throw new TransferRefused(
        'A node is connected to the database of the source. Stop every node first. Nothing was changed.',
      )
  }
  await sql`set local lock_timeout = 10000`.execute(db)
  await sql`lock table ${sql.join(allTables(DECLARED).map(({ name }) => sql.table(name)))} in share mode`.execute(
    db,
  )
}

type Row = Readonly<Record<string, string | number | null>>

async function copyRows(
  from: Db,
  to: Db,
  keysInDatabase: boolean,
  keys: ReadonlyMap<string, string>,
  onProgress: OnProgress,
): Promise<number> {
  let done = 0
  await withoutTriggers(to, async () => {
    for (const table of allTables(DECLARED))
      for await (const page of pagesOf(from, table)) {
        await insertRows(to, table, keysInDatabase ? page.map((row) => keyInDatabase(table, row)) : page)
        onProgress({ step: 'Writing records', done: (done += page.length) })
      }
    // Nodes that share a database may not share a folder.
    const moved = [...keys].map(([name, content]) => ({ reference: name.replace(/\.key$/, ''), content }))
    if (keysInDatabase && moved.length > 0)
      await to
        .insertInto('private_keys')
        .values(moved)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  })
  if (isShared(to))
    await sql`select setval(pg_get_serial_sequence('log_leaves', 'leaf_id'),
      (select coalesce(max(leaf_id), 0) + 1 from log_leaves), false)`.execute(to)
  return done
}

const PAGE = 100

async function* pagesOf(db: Db, { name, more: { key } }: Table): AsyncGenerator<readonly Row[]> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  for (let last: Row | undefined; ;) {
    const after = last && sql`where (${columns}) > (${sql.join(key.map((column) => last?.[column] ?? null))})`
    const { rows } = await sql<Row>`select * from ${sql.table(name)} ${after ?? sql``}
      order by ${columns} limit ${sql.lit(PAGE)}`.execute(db)
    if (rows.length > 0) yield rows
    last = rows.at(-1)
    if (rows.length < PAGE) return
  }
}

async function insertRows(db: Db, { name }: Table, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`)
  await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(db)
}

function keyInDatabase({ name }: Table, row: Row): Row {
  const hasKeys = ['signing_keys', 'log', 'webhook_keys'].includes(name)
  return hasKeys && row['provider'] === 'file'
    ? { ...row, provider: 'database', reference: row['kid'] ?? null }
    : row
}

/** So that the new service knows what the old one has signed. */
async function copyMark(db: Db, from: Config, to: Config): Promise<void> {
  const log = await readLog(db)
  if (log === undefined) return
  await using source = openMarks(from)
  await using target = openMarks(to)
  for (const head of highestOf(await (await source.of(log)).read())) await (await target.of(log)).record(head)
}
