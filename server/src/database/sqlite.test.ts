import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs, { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { openSqlite } from './sqlite.ts'

test('a transaction that SQLite rolled back reports the cause, and the next one works', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-sqlite-'))
  const db = await openSqlite(join(folder, 'kitseal.sqlite'))
  await sql`create table notes (text text)`.execute(db)
  // As after a disk error, there is no transaction left to roll back.
  await sql`create trigger fail before insert on notes when new.text = 'bad'
    begin select raise(rollback, 'disk error'); end`.execute(db)
  const write = (...texts: readonly string[]): Promise<void> =>
    db.transaction().execute(async (trx) => {
      for (const text of texts) await sql`insert into notes values (${text})`.execute(trx)
    })
  await assert.rejects(write('lost', 'bad'), /disk error/)
  await write('good')
  assert.deepEqual((await sql`select text from notes`.execute(db)).rows, [{ text: 'good' }])
  await db.destroy()
  rmSync(folder, { recursive: true })
})

test('the WAL is copied to the database after so many pages, and not before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-sqlite-'))
  const file = join(folder, 'kitseal.sqlite')
  const db = await openSqlite(file, undefined, { checkpointPages: 50 })
  await sql`create table notes (text text)`.execute(db)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
  const before = statSync(file).size
  const write = (pages: number) => sql`insert into notes values (${'x'.repeat(2048 * pages)})`.execute(db)
  await write(30)
  assert.equal(statSync(file).size, before)
  await write(30)
  assert.ok(statSync(file).size > before + 100_000)
  await db.destroy()
  rmSync(folder, { recursive: true })
})

test('a limit is part of the statement, which SQLite prepares once, and it builds no index for one query', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-sqlite-'))
  const db = await openSqlite(join(folder, 'kitseal.sqlite'))
  const limited = db.selectFrom('submissions').select('job_id').where('kit_id', 'is', null).limit(7).compile()
  assert.deepEqual(limited.parameters, [])
  assert.match(limited.sql, /limit 7$/)
  assert.deepEqual((await sql`pragma automatic_index`.execute(db)).rows, [{ automatic_index: 0 }])
  await db.destroy()
  rmSync(folder, { recursive: true })
})

test('a commit is acknowledged and read when it is on disk, and reading syncs nothing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-sqlite-'))
  const db = await openSqlite(join(folder, 'kitseal.sqlite'))
  await sql`create table notes (text text)`.execute(db)
  const syncs: (() => void)[] = []
  const sync = fs.fdatasync
  t.mock.method(fs, 'fdatasync', (file: number, done: fs.NoParamCallback) => {
    assert.equal(fs.readlinkSync(`/proc/self/fd/${file}`), join(folder, 'kitseal.sqlite-wal'))
    syncs.push(() => sync(file, done))
  })
  const ended: string[] = []
  const written = db
    .transaction()
    .execute((trx) => sql`insert into notes values ('kept')`.execute(trx))
    .then(() => ended.push('written'))
  const read = sql`select text from notes`.execute(db).then(({ rows }) => ended.push(`read ${rows.length}`))
  await setTimeout(50)
  assert.deepEqual([ended, syncs.length], [[], 1])
  syncs[0]?.()
  await Promise.all([written, read])
  assert.deepEqual(ended, ['written', 'read 1'])
  const alone = sql`update notes set text = 'changed' returning text`.execute(db)
  await setTimeout(50)
  assert.equal(syncs.length, 2, 'a statement without a transaction is synced too')
  syncs[1]?.()
  await alone
  await db.transaction().execute((trx) => sql`select text from notes`.execute(trx))
  assert.equal(syncs.length, 2)
  await db.destroy()
  rmSync(folder, { recursive: true })
})

test('a process that cannot sync acknowledges nothing, and ends', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-sqlite-'))
  const script = `
    import fs from 'node:fs'
    import { sql } from 'kysely'
    import { openSqlite } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
    const db = await openSqlite(${JSON.stringify(join(folder, 'kitseal.sqlite'))})
    await sql\`create table notes (text text)\`.execute(db)
    fs.fdatasync = (file, done) => setImmediate(done, new Error('EIO: i/o error, fdatasync'))
    setInterval(() => undefined, 1000)
    await sql\`insert into notes values ('lost')\`.execute(db).then(
      () => console.log('acknowledged'),
      () => console.log('refused'),
    )`
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  })
  assert.equal(child.stdout, '')
  assert.match(child.stderr, /the database cannot be synced.*EIO/s)
  assert.equal(child.status, 1)
  rmSync(folder, { recursive: true })
})
