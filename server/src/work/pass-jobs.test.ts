import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Kysely } from 'kysely'
import { type EmptyDatabase, onEachDatabase } from '../../test/each-database.ts'
import type { Database, KitsTable } from '../database/schema.ts'
import { ANYONE } from '../http/caller.ts'
import { randomIdentifiers } from '../runtime/identifiers.ts'
import { newJob } from '../submissions/new-job.ts'
import { claimJob, releaseLeasesOf } from './leases.ts'
import { type FinishedJob, passingTogether } from './pass-jobs.ts'

const identifiers = randomIdentifiers()
const clock = { now: () => Date.UTC(2026, 0, 1) }
let db: Kysely<Database>

onEachDatabase((database) => {
  let store: EmptyDatabase
  before(async () => {
    store = await database.create()
    db = await store.open()
    const key = { kid: 'kid', x: 'x', provider: 'file', reference: 'r', state: 'active' } as const
    await db
      .insertInto('signing_keys')
      .values({ ...key, created_at: '2026-01-01T00:00:00.000Z', retired_at: null, revoked_at: null })
      .execute()
  })
  after(() => store[Symbol.asyncDispose]())

  test('jobs that finish at the same time pass together, each with its own kit, leaf and findings', async () => {
    const jobs: FinishedJob[] = []
    for (let count = 0; count < 7; count += 1) jobs.push(await finished({ findings: `finding ${count}` }))
    let making = 7
    const pass = passingTogether(leases(), () => making > 0)
    await Promise.all(
      jobs.map((job) => {
        making -= 1
        return pass(job)
      }),
    )
    for (const [at, job] of jobs.entries()) {
      const { status, findings, kit_id, leaf_index } = await stateOf(job)
      assert.deepEqual([status, kit_id, leaf_index], ['PASS', job.made.kit.kit_id, null])
      assert.match(findings ?? '', new RegExp(`finding ${at}`))
    }
  })

  test('a lost lease or an ended key stops one job of a batch, and nothing of its kit is stored', async () => {
    const [first, lost, ended, last] = [
      await finished(),
      await finished({ owner: 'gone' }),
      await finished({ issued_at: '2025-12-31T23:59:59.999Z' }),
      await finished(),
    ]
    await releaseLeasesOf(db, (owner) => owner === 'gone')
    const pass = passingTogether(leases())
    const results = await Promise.allSettled([first, lost, ended, last].map(pass))
    assert.deepEqual(
      results.map((each) => (each.status === 'fulfilled' ? 'passed' : (each.reason as Error).name)),
      ['passed', 'LeaseLost', 'KeyEnded', 'passed'],
    )
    for (const { claimed, made } of [lost, ended]) {
      const { job_id } = claimed.job
      assert.deepEqual(await db.selectFrom('kits').selectAll().where('job_id', '=', job_id).execute(), [])
      const leaves = db.selectFrom('log_leaves').selectAll().where('kit_id', '=', made.kit.kit_id)
      assert.deepEqual(await leaves.execute(), [])
    }
  })
})

const leases = (owner = 'me') => ({ db, clock, owner, leaseMs: 30_000 })

/** A claimed job with a sealed kit. */
async function finished({
  owner = 'me',
  issued_at = '2026-01-01T00:00:00.000Z',
  findings = 'none',
} = {}): Promise<FinishedJob> {
  const request = { tenant_id: 't', scope_label: 's', status: 'SUBMITTED' } as const
  const job = newJob({ clock, identifiers, config: { draftTtlHours: 1 } }, request, ANYONE)
  await db.insertInto('jobs').values(job).execute()
  const claimed = await claimJob(leases(owner))
  assert.ok(claimed !== undefined)
  const { job_id } = claimed.job
  const row: KitsTable = {
    kit_id: identifiers.kitId(),
    job_id,
    public_key_kid: 'kid',
    issued_at,
    receipt_version: '',
    manifest_sha256: '',
    downloads: '{}',
    receipt: JSON.stringify({ job_id, public_key_kid: 'kid' }),
    entries: '[]',
    zip_sha256: null,
    log_proof: null,
    time_stamp: null,
  }
  const found = [{ message: findings }] as unknown as NonNullable<FinishedJob['made']['findings']>
  return { claimed, made: { is: 'kit', kit: row, findings: found } }
}

function stateOf({ claimed }: FinishedJob) {
  return db
    .selectFrom('jobs')
    .innerJoin('kits', 'kits.job_id', 'jobs.job_id')
    .innerJoin('log_leaves', 'log_leaves.kit_id', 'kits.kit_id')
    .select(['jobs.status', 'jobs.findings', 'kits.kit_id', 'log_leaves.leaf_index'])
    .where('jobs.job_id', '=', claimed.job.job_id)
    .executeTakeFirstOrThrow()
}
