import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { onEachDatabase } from '../../test/each-database.ts'
import { insertion, makeChanges, updating } from './changes.ts'
import type { Database, JobsTable } from './schema.ts'

const job = (name: string, scope_label = name): JobsTable => ({
  job_id: `job_${name}` as JobsTable['job_id'],
  tenant_id: 'tenant',
  scope_label,
  status: 'DRAFT',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  expires_at: null,
  kit_id: null,
  authenticated: 1,
  attempts: 0,
  lease_owner: null,
  lease_until: null,
  lease_token: 0,
  blockers: null,
  findings: null,
  workspace_id: null,
})

const lease = (name: string, returning?: string) =>
  updating('update jobs set lease_token = lease_token + ? where job_id = ?', [2, `job_${name}`], returning)

const names = async (db: Kysely<Database>): Promise<readonly string[]> =>
  (await db.selectFrom('jobs').select('job_id').orderBy('job_id').execute()).map(({ job_id }) => job_id)

onEachDatabase((database) => {
  test('changes are counted, and the rows of the last are returned', async () => {
    await using store = await database.create()
    const db = await store.open()
    await makeChanges(db, [insertion('jobs', [job('a'), job('b')])])
    const { counts, rows } = await makeChanges<Pick<JobsTable, 'job_id' | 'lease_token'>>(db, [
      insertion('jobs', [job('c'), job('d')]),
      lease('b', 'job_id, lease_token'),
    ])
    assert.deepEqual(counts, [2, 1])
    assert.deepEqual(
      rows.map(({ job_id, lease_token }) => [job_id, Number(lease_token)]),
      [['job_b', 2]],
    )
  })

  test('changes of a transaction are rolled back with it, and changes outside of it are not', async () => {
    await using store = await database.create()
    const db = await store.open()
    let outside: Promise<unknown> | undefined
    const failing = db.transaction().execute(async (trx) => {
      assert.deepEqual((await makeChanges(trx, [insertion('jobs', [job('a')])])).counts, [1])
      assert.deepEqual((await makeChanges(trx, [lease('a')])).counts, [1])
      outside = makeChanges(db, [insertion('jobs', [job('b')])])
      await new Promise(setImmediate)
      throw new Error('rolled back')
    })
    await assert.rejects(failing, /rolled back/)
    await outside
    assert.deepEqual(await names(db), ['job_b'])
  })

  test('no change is made after one that affects no row', async () => {
    await using store = await database.create()
    const db = await store.open()
    await makeChanges(db, [insertion('jobs', [job('a')])])
    const { counts, rows } = await makeChanges(db, [
      lease('missing'),
      insertion('jobs', [job('b')]),
      lease('a', 'job_id'),
    ])
    assert.equal(counts[0], 0)
    assert.equal(counts[1] ?? 0, 0)
    assert.deepEqual(rows, [])
    assert.deepEqual(await names(db), ['job_a'])
    const { lease_token } = await db.selectFrom('jobs').select('lease_token').executeTakeFirstOrThrow()
    assert.equal(Number(lease_token), 0)
  })

  test('a change that fails undoes those before it', async () => {
    await using store = await database.create()
    const db = await store.open()
    await makeChanges(db, [insertion('jobs', [job('a')])])
    const twice = [insertion('jobs', [job('b')]), insertion('jobs', [job('a')])]
    await assert.rejects(db.transaction().execute((trx) => makeChanges(trx, twice)))
    assert.deepEqual(await names(db), ['job_a'])
  })

  test('any text is stored as it is, unless it has no encoding', async () => {
    await using store = await database.create()
    const db = await store.open()
    const texts = ['"quoted" \\ \u2028 ? $1', 'é 漢 😀', 'lone \ud800 surrogate']
    await makeChanges(db, [
      insertion(
        'jobs',
        texts.map((text, index) => job(String(index), text)),
      ),
    ])
    const rows = await db.selectFrom('jobs').select('scope_label').orderBy('job_id').execute()
    assert.deepEqual(
      rows.map(({ scope_label }) => scope_label),
      texts.map((text) => text.toWellFormed()),
    )
  })
})
