import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { onEachDatabase, type EmptyDatabase } from '../../test/each-database.ts'
import { systemClock } from '../runtime/clock.ts'
import { type JobId, type KitId, randomIdentifiers } from '../runtime/identifiers.ts'
import { newJob } from '../submissions/create-submission.ts'
import type { Database, JobStatus } from './schema.ts'
import { openSqlite } from './sqlite.ts'

const STATES: readonly JobStatus[] = ['DRAFT', 'SUBMITTED', 'PASS', 'FAIL', 'ISSUED', 'EXPIRED']
const TRANSITIONS = new Set([
  'DRAFT>SUBMITTED',
  'DRAFT>EXPIRED',
  'SUBMITTED>PASS',
  'SUBMITTED>FAIL',
  'SUBMITTED>ISSUED',
  'PASS>ISSUED',
  'ISSUED>EXPIRED',
  'FAIL>EXPIRED',
])
const PATHS: Record<JobStatus, readonly JobStatus[]> = {
  DRAFT: ['DRAFT'],
  SUBMITTED: ['SUBMITTED'],
  PASS: ['SUBMITTED', 'PASS'],
  FAIL: ['SUBMITTED', 'FAIL'],
  ISSUED: ['SUBMITTED', 'PASS', 'ISSUED'],
  EXPIRED: ['DRAFT', 'EXPIRED'],
}

let db: Kysely<Database>
let count = 0

onEachDatabase((database) => {
  let store: EmptyDatabase
  before(async () => {
    store = await database.create()
    db = await store.open()
    await insertKey('kid-1')
  })
  after(() => store[Symbol.asyncDispose]())

  for (const from of STATES) {
    for (const to of STATES) {
      if (from === to) continue
      const allowed = TRANSITIONS.has(`${from}>${to}`)
      test(`a job ${allowed ? 'can' : 'cannot'} move from ${from} to ${to}`, async () => {
        const id = await jobIn(from)
        const move = moveTo(id, to)
        await (allowed ? move : assert.rejects(move, /a job does not move that way/))
        const row = await db
          .selectFrom('submissions')
          .select('status')
          .where('job_id', '=', id)
          .executeTakeFirstOrThrow()
        assert.equal(row.status, allowed ? to : from)
      })
    }
  }

  for (const status of ['PASS', 'FAIL', 'ISSUED', 'EXPIRED'] as const) {
    test(`a job cannot start as ${status}`, async () => {
      await assert.rejects(insertJob(status), /a job begins as DRAFT or SUBMITTED/)
    })
  }

  test('a job cannot be ISSUED without its own kit', async () => {
    const other = await jobIn('ISSUED')
    const kit = kitOf(other)
    for (const status of ['SUBMITTED', 'PASS'] as const) {
      const id = await jobIn(status)
      for (const kit_id of [null, 'kit_none' as KitId, kit]) {
        const move = db
          .updateTable('submissions')
          .set({ status: 'ISSUED', kit_id })
          .where('job_id', '=', id)
          .execute()
        await assert.rejects(move)
      }
    }
  })

  for (const status of ['SUBMITTED', 'PASS'] as const)
    test(`a kit gets its log proof once, before it is issued, and is not issued without, from ${status}`, async () => {
      const id = await jobIn(status)
      await insertKit(id, kitOf(id))
      const issue = () =>
        db
          .updateTable('submissions')
          .set({ status: 'ISSUED', kit_id: kitOf(id) })
          .where('job_id', '=', id)
          .execute()
      await assert.rejects(issue(), /with its log proof/)
      const kit = db.updateTable('kits').where('job_id', '=', id)
      await kit.set({ log_proof: 'proof' }).execute()
      await assert.rejects(kit.set({ log_proof: 'another' }).execute(), /does not change/)
      await issue()
      for (const log_proof of ['another', null])
        await assert.rejects(kit.set({ log_proof }).execute(), /does not change/)
    })

  test('a second kit for one job is rejected', async () => {
    const id = await jobIn('ISSUED')
    await assert.rejects(insertKit(id, `${kitOf(id)}_again` as KitId), /unique/i)
  })

  test('jobs keep their initial values, kits cannot change, and neither can be deleted', async () => {
    const id = await jobIn('ISSUED')
    const job = db.updateTable('submissions').where('job_id', '=', id)
    await assert.rejects(job.set({ tenant_id: 'another' }).execute(), /stays/)
    await assert.rejects(job.set({ scope_label: 'another' }).execute(), /stays/)
    await assert.rejects(job.set({ kit_id: null }).execute(), /never another/)
    await assert.rejects(db.deleteFrom('submissions').where('job_id', '=', id).execute(), /not deleted/)
    await assert.rejects(db.deleteFrom('kits').where('job_id', '=', id).execute(), /not deleted/)
    const kit = db.updateTable('kits').where('job_id', '=', id)
    await assert.rejects(kit.set({ receipt: '[]' }).execute(), /does not change/)
    await kit.set({ zip_sha256: 'computed later' }).execute()
    for (const zip_sha256 of ['another', null])
      await assert.rejects(kit.set({ zip_sha256 }).execute(), /does not change/)
  })

  test('a signing key moves from active to retired to revoked, never back', async () => {
    const key = (kid: string) => db.updateTable('signing_keys').where('kid', '=', kid)
    await assert.rejects(insertKey('kid-second'), /unique/i, 'only one active key')
    await key('kid-1').set({ state: 'retired', retired_at: 'now' }).execute()
    await assert.rejects(key('kid-1').set({ state: 'active' }).execute(), /does not move/)
    await assert.rejects(key('kid-1').set({ retired_at: 'later' }).execute(), /does not move/)
    await key('kid-1').set({ state: 'revoked', revoked_at: 'now' }).execute()
    await assert.rejects(key('kid-1').set({ state: 'retired' }).execute(), /does not move/)
    await assert.rejects(db.deleteFrom('signing_keys').execute(), /not deleted/)
    await insertKey('kid-2')
    await key('kid-2').set({ state: 'revoked', revoked_at: 'now' }).execute()
  })
})

test('SQLite runs in WAL mode with foreign keys', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-store-'))
  db = await openSqlite(join(folder, 'kitseal.sqlite'))
  assert.equal(await pragma('journal_mode'), 'wal')
  assert.equal(await pragma('foreign_keys'), 1)
  await db.destroy()
  rmSync(folder, { recursive: true })
})

async function jobIn(status: JobStatus): Promise<JobId> {
  const [first, ...rest] = PATHS[status]
  const id = await insertJob(first ?? 'DRAFT')
  for (const next of rest) await moveTo(id, next)
  return id
}

async function insertJob(status: JobStatus): Promise<JobId> {
  count += 1
  const job_id = `job_${count}` as JobId
  const job = newJob(
    { clock: systemClock, identifiers: randomIdentifiers() },
    { tenant_id: 't', scope_label: 's', status, workspace_id: null },
    null,
  )
  await db
    .insertInto('submissions')
    .values({ ...job, job_id })
    .execute()
  return job_id
}

async function moveTo(id: JobId, status: JobStatus): Promise<void> {
  const issued = status === 'ISSUED' && ['SUBMITTED', 'PASS'].includes(await currentStatus(id))
  if (issued) await insertKit(id, kitOf(id))
  if (issued) await db.updateTable('kits').set({ log_proof: 'proof' }).where('job_id', '=', id).execute()
  const kit = issued ? { kit_id: kitOf(id) } : {}
  await db
    .updateTable('submissions')
    .set({ status, ...kit })
    .where('job_id', '=', id)
    .execute()
}

async function currentStatus(id: JobId): Promise<JobStatus> {
  return (
    await db.selectFrom('submissions').select('status').where('job_id', '=', id).executeTakeFirstOrThrow()
  ).status
}

const kitOf = (id: JobId): KitId => id.replace('job_', 'kit_') as KitId

async function insertKit(job_id: JobId, kit_id: KitId): Promise<void> {
  const text = {
    issued_at: 'now',
    receipt_version: '',
    manifest_sha256: '',
    downloads: '{}',
    receipt: '{}',
    entries: '[]',
    zip_sha256: null,
    log_proof: null,
  }
  await db
    .insertInto('kits')
    .values({ kit_id, job_id, public_key_kid: 'kid-1', ...text })
    .execute()
}

async function insertKey(kid: string): Promise<void> {
  await db
    .insertInto('signing_keys')
    .values({
      kid,
      x: kid,
      provider: 'file',
      reference: kid,
      state: 'active',
      created_at: 'now',
      retired_at: null,
      revoked_at: null,
      compromised_since: null,
    })
    .execute()
}

async function pragma(name: string): Promise<unknown> {
  const { rows } = await sql<object>`${sql.raw(`pragma ${name}`)}`.execute(db)
  return Object.values(rows[0] ?? {})[0]
}
