import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { randomIdentifiers } from '../runtime/identifiers.ts'
import { newDatabase, sharedPostgres } from '../../../test/kit/postgres.ts'
import { testService } from '../../../test/kit/service.ts'
import { form, workspaceClient } from '../../../test/kit/workspace.ts'

const MONTHS = ['2026-09', '2026-10', '2026-11'] as const
const startOf = (month: string): number => Date.parse(`${month}-01T00:00:00Z`)
/** The first characters of an ID are its second. */
const SECOND_LENGTH = 7
const firstId = (month: string): string =>
  randomIdentifiers({ now: () => startOf(month) })
    .kitId()
    .slice(0, 'kit_'.length + SECOND_LENGTH)

test('kits can be partitioned by the time in their IDs while the service runs', async () => {
  await using postgres = await sharedPostgres()
  const url = await newDatabase(postgres.url)
  let now = startOf('2026-09') + 1000
  await using service = await testService({ KITSEAL_DATABASE_URL: url }, { now: () => now })
  const acme = await workspaceClient(service)
  const issue = async (): Promise<string> => {
    const id = await acme.submission()
    await acme.upload(id, form({ 'a.txt': `at ${now}` }))
    return String((await acme.ended(id))['kit_id'])
  }
  const kits = [await issue()]
  now = startOf('2026-10') + 1000
  kits.push(await issue())

  const db = new pg.Client(url)
  await db.connect()
  try {
    await db.query('begin')
    await partition(db, 'kits')
    await db.query('commit')

    now = startOf('2026-11') + 1000
    kits.push(await issue())
    for (const [index, month] of MONTHS.entries()) {
      const { rows } = await db.query(`select kit_id from kits_${month.replace('-', '_')}`)
      assert.deepEqual(rows, [{ kit_id: kits[index] }], month)
      assert.equal((await acme.get(`/v1/kits/${kits[index]}`)).status, 200, 'each kit is still served')
    }
    const plan = await db.query('explain select * from kits where kit_id = $1', [kits[0]])
    assert.doesNotMatch(JSON.stringify(plan.rows), /kits_2026_(10|11)/, 'one partition is looked at')
    await assert.rejects(db.query(`update kits set receipt = '{}' where kit_id = $1`, [kits[0]]))
    await assert.rejects(db.query('delete from kits where kit_id = $1', [kits[0]]))
  } finally {
    await db.end()
  }
})

/** Copies a table into partitions by month, with its keys, indexes, guards and what refers to it. */
async function partition(db: pg.Client, table: string): Promise<void> {
  const whole = `${table}_whole`
  const definitions = async (query: string): Promise<readonly string[]> =>
    (await db.query<{ sql: string }>(query, [table])).rows.map(({ sql }) => sql)
  // What is unique without the ID would have to be unique in all partitions, which PostgreSQL does not have.
  const own = await definitions(
    `select format('alter table ${table} add %s', pg_get_constraintdef(oid)) as sql from pg_constraint
       where conrelid = $1::regclass and conparentid = 0 and (contype in ('p', 'f') or contype = 'u' and pg_get_constraintdef(oid) like '%kit_id%')`,
  )
  const indexes = await definitions(
    `select regexp_replace(pg_get_indexdef(indexrelid), '^CREATE UNIQUE INDEX \\S+|^CREATE INDEX \\S+', 'create index') as sql
       from pg_index where indrelid = $1::regclass and not indisprimary`,
  )
  const triggers = await definitions(
    `select pg_get_triggerdef(oid) as sql from pg_trigger where tgrelid = $1::regclass and not tgisinternal`,
  )
  const { rows: references } = await db.query<{ name: string; at: string; sql: string }>(
    `select conname as name, conrelid::regclass::text as at, pg_get_constraintdef(oid) as sql
       from pg_constraint where confrelid = $1::regclass and conparentid = 0 and contype = 'f'`,
    [table],
  )
  for (const { name, at } of references) await db.query(`alter table ${at} drop constraint ${name}`)
  await db.query(`alter table ${table} rename to ${whole}`)
  await db.query(`create table ${table} (like ${whole} including defaults) partition by range (kit_id)`)
  for (const [index, month] of MONTHS.entries()) {
    const [from, to] = [month, MONTHS[index + 1]].map((each, at) =>
      each === undefined ? 'maxvalue' : at === 0 && index === 0 ? 'minvalue' : `'${firstId(each)}'`,
    )
    const name = `${table}_${month.replace('-', '_')}`
    await db.query(`create table ${name} partition of ${table} for values from (${from}) to (${to})`)
  }
  await db.query(`insert into ${table} select * from ${whole}`)
  await db.query(`drop table ${whole}`)
  for (const sql of [...own, ...indexes, ...triggers]) await db.query(sql)
  for (const { at, sql } of references) await db.query(`alter table ${at} add ${sql}`)
}
