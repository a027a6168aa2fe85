// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { ownDatabase } from '../../../test/kit/databases.ts'
import { type Config, readConfig } from '../settings/config.ts'
import type { Database } from '../database/schema.ts'
import { openStore } from '../open-store.ts'
import { type BackupIndex, linesOf, readIndex, recordsIn } from './backup-files.ts'
import { restoreBackup } from './restore-backup.ts'
import { rowsOf } from './records.ts'
import { TABLES } from './tables.ts'
import { writeBackup } from './write-backup.ts'

const ROWS = 9000

test('a backup with nothing new writes no records, and one of a few new rows writes only the last files', async () => {
  await using place = await filledStore()
  const first = await place.backup()
  const written = await place.files()
  assert.ok(filesOf(first).length > 2, 'several files')
  assert.deepEqual(await place.backup().then(filesOf), filesOf(first))
  assert.deepEqual(await place.files(), written)
  await place.add(ROWS, 10)
  const third = filesOf(await place.backup())
  assert.deepEqual(third.slice(0, -1), filesOf(first).slice(0, third.length - 1))
  assert.notEqual(third.at(-1), filesOf(first).at(-1))
  await place.hasAll()
})

test('a row that was changed, deleted or inserted among old ones is in the next backup, and the former row is not', async () => {
  await using place = await filledStore()
  let before = filesOf(await place.backup())
  const changes = [
    sql`update idempotency set body = 'changed' where key = ${keyOf(5)}`,
    sql`update idempotency set body = 'row 11' where key = ${keyOf(4500)}`,
    sql`delete from idempotency where key = ${keyOf(4501)}`,
    sql`insert into idempotency values ('s', ${`${keyOf(2100)}a`}, '', 200, 'between', '')`,
    sql`delete from idempotency where key > ${keyOf(1000)} and key < ${keyOf(7000)}`,
  ]
  for (const change of changes) {
    await change.execute(place.db)
    const after = filesOf(await place.backup())
    assert.ok(after.some((file) => before.includes(file)) || after.length < before.length, 'some are kept')
    assert.ok(after.some((file) => !before.includes(file)))
    await place.hasAll()
    before = after
  }
  const texts = await Promise.all((await place.files()).map((file) => readFile(file, 'utf8')))
  assert.ok(!texts.some((text) => text.includes('"row 5"') || text.includes('"row 4501"')))
})

test('a backup repairs a file that was lost, and does not keep one that it did not write', async () => {
  await using place = await filledStore()
  await place.backup()
  const [lost = ''] = await place.files()
  await rm(lost)
  const stray = join(place.folder, 'backup', 'records', '00', '0'.repeat(64))
  await mkdir(join(stray, '..'), { recursive: true })
  await writeFile(stray, 'left by an interrupted backup')
  await place.backup()
  assert.ok((await place.files()).includes(lost))
  assert.ok(!(await place.files()).includes(stray))
  await place.hasAll()
})

test('a backup that is interrupted leaves the former one, which restores', async () => {
  await using place = await filledStore()
  await place.backup()
  const before = await place.rows()
  await sql`update idempotency set body = 'changed'`.execute(place.db)
  const interrupted = place.backup(() => Promise.reject(new Error('interrupted')))
  await assert.rejects(interrupted, /interrupted/)
  assert.deepEqual(await place.restored(), before)
  await place.backup()
  assert.deepEqual(await place.restored(), await place.rows())
})

test('a backup of an older release is not restored, and the next backup replaces it', async () => {
  await using place = await filledStore()
  const index = join(place.folder, 'backup', 'backup.json')
  await writeFile(index, JSON.stringify({ format: 'kitseal-backup-1' }))
  await assert.rejects(place.restored(), /a backup of an older release\. Restore it with that release/)
  await place.backup()
  await place.hasAll()
})

test('columns that are not compared cannot be changed', async () => {
  await using place = await filledStore()
  for (const { name, versions } of TABLES) {
    if (versions === undefined) continue
    const found = (await place.db.introspection.getTables()).find((table) => table.name === name)
    const others = found?.columns.filter((column) => !versions.includes(column.name)) ?? []
    const source = place.isShared
      ? 'prosrc as text from pg_proc where proname'
      : 'sql as text from sqlite_master where name'
    const guard = await sql<{ text: string }>`select ${sql.raw(source)} = ${`${name}_fixed`}`.execute(
      place.db,
    )
    const text = guard.rows[0]?.text ?? ''
    assert.ok(others.length > 0)
    for (const column of others) assert.match(text, new RegExp(`\\b${column.name}\\b`), column.name)
  }
})

const filesOf = ({ tables }: BackupIndex): readonly string[] =>
  (tables['idempotency']?.files ?? []).map(({ sha256 }) => sha256)

const keyOf = (n: number): string => `k${String(n).padStart(6, '0')}`

/** A store with many rows in a table that nothing refers to. */
async function filledStore() {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-backup-records-'))
  const [database, other] = [await ownDatabase(), await ownDatabase()]
  const config = configOf(join(folder, 'data'), database.settings)
  const store = await openStore(config)
  const backup = join(folder, 'backup')
  const add = async (from: number, count: number): Promise<void> => {
    const values = Array.from(
      { length: count },
      (_, n) => sql`('s', ${keyOf(from + n)}, '', 200, ${`row ${from + n}`}, '')`,
    )
    for (let at = 0; at < count; at += 1000)
      await sql`insert into idempotency values ${sql.join(values.slice(at, at + 1000))}`.execute(store.db)
  }
  await add(0, ROWS)
  let targets = 0
  const restored = async (): Promise<unknown> => {
    const target = configOf(join(folder, `target-${(targets += 1)}`), other.settings)
    await using filled = await restoreBackup(target, backup).then(() => openStore(target))
    const rows = await rowsIn(filled.db)
    await sql`delete from idempotency`.execute(filled.db)
    return rows
  }
  const rows = (): Promise<unknown> => rowsIn(store.db)
  const inFiles = async (): Promise<unknown> => {
    const index = await readIndex(backup)
    const lines = await Promise.all(
      (index.tables['idempotency']?.files ?? []).map(({ sha256 }) => linesOf(recordsIn(backup), sha256)),
    )
    return lines.flat().map((line) => JSON.parse(line) as unknown)
  }
  return {
    folder,
    db: store.db,
    isShared: database.settings['KITSEAL_DATABASE_URL'] !== undefined,
    add,
    backup: async (onRecords?: () => Promise<void>) =>
      (await writeBackup(config, { folder: backup, ...(onRecords === undefined ? {} : { onRecords }) }))
        .index,
    files: async () =>
      (await readdir(join(backup, 'records'), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .toSorted(),
    rows,
    restored,
    /** Every row is in the files, once. */
    hasAll: async () => assert.deepEqual(await inFiles(), await rows()),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function rowsIn(db: Kysely<Database>): Promise<unknown> {
  const table = TABLES.find(({ name }) => name === 'idempotency')
  assert.ok(table !== undefined)
  const all: unknown[] = []
  for await (const page of rowsOf(db, table)) all.push(...page)
  return all
}

function configOf(data: string, settings: Readonly<Record<string, string | undefined>>): Config {
  const config = readConfig({ KITSEAL_DATA: data, KITSEAL_LOG_MARK: `${data}-marks`, ...settings })
  assert.ok(config.ok, JSON.stringify(config))
  return config.value
}
