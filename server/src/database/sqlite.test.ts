import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
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
