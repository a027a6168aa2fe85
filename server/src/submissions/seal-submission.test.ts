import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { parseTlogProof, utf8 } from '@kitseal/kit/internal'
import type { Kysely } from 'kysely'
import { type EmptyDatabase, onEachDatabase } from '../../test/each-database.ts'
import { marksIn } from '../../test/marks-in.ts'
import type { Database, SubmissionsTable, KitsTable } from '../database/schema.ts'
import { fileKeys } from '../keys/file-signer.ts'
import { freezeLog } from '../log/freeze-log.ts'
import { type TransparencyLog, transparencyLog } from '../log/transparency-log.ts'
import { WorkerCrashed } from '../runtime/worker-pool.ts'
import { type JobId, randomIdentifiers } from '../runtime/identifiers.ts'
import { claimTasks, postponeTask } from '../tasks/tasks.ts'
import { type MadeKit, submissionsToSeal } from './make-kit.ts'
import { newJob } from './create-submission.ts'
import { queueSealing, sealing, type SealingContext } from './seal-submission.ts'
import { SEAL } from './statuses.ts'

const LEASE_MS = 30_000
const HOUR_MS = 3_600_000
const identifiers = randomIdentifiers()
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
let db: Kysely<Database>
let log: TransparencyLog
let folder: string
let settled: JobId[] = []
let discarded: string[] = []

onEachDatabase((database) => {
  let store: EmptyDatabase
  before(async () => {
    store = await database.create()
    db = await store.open()
    folder = mkdtempSync(join(tmpdir(), 'kitseal-seal-'))
    log = transparencyLog({
      db,
      clock,
      providers: [fileKeys({ directory: join(folder, 'keys') })],
      marks: marksIn(folder),
    })
    await log.ensure('issuer.example/log')
    const key = { kid: 'kid', x: 'x', provider: 'file', reference: 'r', state: 'active' } as const
    await db
      .insertInto('signing_keys')
      .values({ ...key, created_at: '2026-01-01T00:00:00.000Z', retired_at: null, revoked_at: null })
      .execute()
  })
  beforeEach(async () => {
    clock.time += HOUR_MS
    const { kind, issue } = sealingBy()
    while ((await runNext(kind)) !== 'idle') clock.time += 1
    await log.sequence()
    clock.time += 2 * LEASE_MS
    while ((await issue()) > 0) continue
    settled = []
    discarded = []
  })
  after(async () => {
    await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  test('a submitted job passes once, with its kit and its leaf in the tree, and is issued once', async () => {
    const id = await submit()
    const { kind, issue } = sealingBy()
    assert.deepEqual(await runNext(kind), { is: 'gone' })
    assert.equal(await runNext(kind), 'idle')
    const passed = await stateOf(id)
    assert.deepEqual([passed.status, passed.issued, passed.log_proof], ['PASS', null, null])
    assert.notEqual(passed.leaf_index, null, 'the same commit extended the tree')
    assert.equal(await issue(), 1)
    assert.equal(await issue(), 0)
    const { status, kit_id, issued, log_proof } = await stateOf(id)
    assert.deepEqual([status, issued], ['ISSUED', kit_id])
    assert.equal(parseTlogProof(utf8(log_proof ?? '')).index, Number(passed.leaf_index))
    assert.deepEqual(settled, [id])
  })

  test('a kit whose process ended after it passed is verified from disk and issued by another one', async () => {
    const id = await submit()
    await runNext(sealingBy({ node: 'gone' }).kind)
    const verified: string[] = []
    const other = sealingBy({ node: 'other', verifyStored: async ({ kitId }) => void verified.push(kitId) })
    clock.time += 11_000
    assert.equal(await other.issue(), 1)
    assert.deepEqual(verified, [(await stateOf(id)).kit_id])
  })

  test('jobs that are made at the same time pass together, each with its own kit', async () => {
    const { kind, issue } = sealingBy()
    const jobs: JobId[] = []
    for (let count = 0; count < 7; count += 1) jobs.push(await submit())
    const tasks = await claim('me', 8)
    assert.equal(tasks.length, 7)
    await Promise.all(tasks.map((task) => kind.run(task, () => {})))
    assert.equal(await issue(), 7)
    const states = await Promise.all(jobs.map(stateOf))
    assert.equal(new Set(states.map(({ kit_id }) => kit_id)).size, 7)
    assert.equal(new Set(states.map(({ leaf_index }) => leaf_index)).size, 7)
    assert.deepEqual(settled.toSorted(), jobs.toSorted())
  })

  test('a kit passes with as much as belongs to it, however many statements that takes', async () => {
    const id = await submit()
    const rows = (part: number) =>
      Array.from({ length: 1000 }, (_, index) => ({ day: `${id} ${part}`, name: `${index}`, count: 1 }))
    const also: MadeKit['also'] = (trx) =>
      Array.from({ length: 40 }, (_, part) => trx.insertInto('daily_counts').values(rows(part)))
    const { kind } = sealingBy({ makeKit: async ({ job }) => ({ ...made(job), also }) })
    assert.deepEqual(await runNext(kind), { is: 'gone' })
    assert.equal((await stateOf(id)).status, 'PASS')
  })

  test('two processes that issue the same kits at once settle each of them once', async () => {
    for (let count = 0; count < 8; count += 1) await submit()
    const kind = sealingBy({ node: 'gone' }).kind
    await Promise.all((await claim('gone', 8)).map((task) => kind.run(task, () => {})))
    clock.time += 11_000
    const counts = await Promise.all([sealingBy({ node: 'a' }).issue(), sealingBy({ node: 'b' }).issue()])
    assert.equal(counts[0] + counts[1], 8)
    assert.equal(new Set(settled).size, 8)
    assert.equal(settled.length, 8)
  })

  test('a kit that cannot be issued stays PASS and is retried later, and the others are issued', async () => {
    const [bad, good] = [await submit(), await submit()]
    const settle: SealingContext['settle'] = {
      issued: async (_, issued) => {
        if (issued.some(({ job }) => job.job_id === bad)) throw new Error('no credit')
      },
      failed: async () => {},
    }
    const { kind, issue } = sealingBy({ settle })
    for (const task of await claim('me', 8)) await kind.run(task, () => {})
    assert.equal(await issue(), 1)
    assert.equal((await stateOf(good)).status, 'ISSUED')
    const { status, issued, log_proof } = await stateOf(bad)
    assert.deepEqual([status, issued, log_proof], ['PASS', null, null])
    assert.equal(await issue(), 0, 'not at once')
    clock.time += 61_000
    assert.equal(await sealingBy().issue(), 1)
  })

  test('nothing is issued while the log is frozen', async () => {
    await submit()
    const { kind, issue } = sealingBy()
    await runNext(kind)
    await freezeLog(db, 'a test', clock)
    assert.equal(await issue(), 0)
    await db.updateTable('log').set({ frozen_at: null, frozen_reason: null }).execute()
    assert.equal(await issue(), 1)
  })

  test('a process that lost its task stores nothing', async () => {
    const id = await submit()
    const slow = sealingBy({
      makeKit: async ({ job }) => {
        clock.time += 2 * LEASE_MS
        assert.equal((await claim('other', 1))[0]?.key, id)
        return made(job)
      },
    })
    assert.deepEqual(await runNext(slow.kind), { is: 'gone' })
    assert.equal(discarded.length, 1)
    assert.deepEqual(await kitsOf(id), [])
    clock.time += 2 * LEASE_MS
    await runNext(sealingBy().kind)
    assert.equal((await kitsOf(id)).length, 1)
  })

  test('a kit whose key ended during sealing is discarded, and the job is tried again', async () => {
    const id = await submit()
    const late = sealingBy({
      makeKit: async ({ job }) => made(job, { issued_at: '2025-12-31T23:59:59.999Z' }),
    })
    assert.deepEqual(await runNext(late.kind), { is: 'again', fault: 'environment', delayMs: 1000 })
    assert.equal(discarded.length, 1)
    assert.deepEqual(await kitsOf(id), [])
  })

  test('a job that always fails ends in FAIL after the allowed attempts, without internal details', async () => {
    const id = await submit()
    const { kind } = sealingBy({ makeKit: () => Promise.reject(new Error('cannot seal')) })
    const results: string[] = []
    for (let run = 0; run < 4; run += 1) {
      const outcome = await runNext(kind)
      results.push(outcome === 'idle' ? outcome : outcome.is)
      clock.time += 61_000
    }
    assert.deepEqual(results, ['again', 'again', 'gone', 'idle'])
    assert.match(await blockersOf(id), /"attempts_exhausted".*failed 3 times/)
    assert.doesNotMatch(await blockersOf(id), /cannot seal/)
  })

  test('evidence that crashes its worker twice ends in FAIL, and the message says why', async () => {
    const id = await submit()
    const { kind } = sealingBy({ makeKit: () => Promise.reject(new WorkerCrashed('memory')) })
    await runNext(kind)
    clock.time += 61_000
    await runNext(kind)
    assert.match(await blockersOf(id), /"evidence_unexaminable".*failed 2 times: it needed more memory/)
  })

  test('kills of the process and full disks are no attempts of a job', async () => {
    const id = await submit()
    for (let kill = 0; kill < 5; kill += 1) {
      assert.equal((await claim('me', 1)).length, 1)
      clock.time += 2 * LEASE_MS
    }
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    for (let run = 0; run < 5; run += 1) {
      await runNext(sealingBy({ makeKit: () => Promise.reject(full) }).kind)
      clock.time += 61_000
    }
    await runNext(sealingBy().kind)
    assert.equal((await stateOf(id)).status, 'PASS')
  })
})

function sealingBy(overrides: Partial<SealingContext> = {}) {
  return sealing(
    {
      db,
      clock,
      node: 'me',
      maxAttempts: 3,
      objects: { delete: async (sha256) => void discarded.push(sha256) },
      transparencyLog: log,
      find: submissionsToSeal(db),
      makeKit: async ({ job }) => made(job),
      verifyStored: async () => {},
      settle: {
        issued: async (_, issued) => void settled.push(...issued.map(({ job }) => job.job_id)),
        failed: async () => {},
      },
      growsLog: true,
      onPassed: () => {},
      log: { info: () => {}, error: () => {} },
      ended: () => {},
      ...overrides,
    },
    4,
  )
}

const claim = (owner: string, most: number) =>
  claimTasks({ db, clock, owner, leaseMs: LEASE_MS }, SEAL)('', most)

/** As the runner does it. */
async function runNext(kind: ReturnType<typeof sealing>['kind']) {
  const [task] = await claim('me', 1)
  if (task === undefined) return 'idle'
  const outcome = await kind.run(task, () => {})
  if (outcome.is === 'again')
    await postponeTask({ db, clock }, task, { delayMs: outcome.delayMs, fault: outcome.fault })
  return outcome
}

async function submit(): Promise<JobId> {
  clock.time += 1
  const request = { tenant_id: 't', scope_label: 's', status: 'SUBMITTED', workspace_id: null } as const
  const job = newJob({ clock, identifiers }, request, null)
  await db.insertInto('submissions').values(job).execute()
  await queueSealing(db, job)
  return job.job_id
}

function made({ job_id }: Readonly<SubmissionsTable>, overrides: Partial<KitsTable> = {}): MadeKit {
  const pack = identifiers.kitId()
  const kit: KitsTable = {
    kit_id: identifiers.kitId(),
    job_id,
    public_key_kid: 'kid',
    issued_at: '2026-01-01T00:00:00.000Z',
    receipt_version: '',
    manifest_sha256: '',
    downloads: '{}',
    receipt: JSON.stringify({ job_id, public_key_kid: 'kid' }),
    entries: JSON.stringify([
      { path: 'receipt.json', sha256: pack, sizeBytes: 1, crc32: 0, object: pack, offset: 0 },
    ]),
    zip_sha256: null,
    log_proof: null,
    time_stamp: null,
    ...overrides,
  }
  return { is: 'kit', kit, objects: [{ object: pack, sha256: pack, sizeBytes: 1 }] }
}

const stateOf = (id: JobId) =>
  db
    .selectFrom('submissions')
    .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
    .innerJoin('log_leaves', 'log_leaves.kit_id', 'kits.kit_id')
    .select([
      'submissions.status',
      'submissions.kit_id as issued',
      'kits.kit_id',
      'kits.log_proof',
      'log_leaves.leaf_index',
    ])
    .where('submissions.job_id', '=', id)
    .executeTakeFirstOrThrow()

const kitsOf = (id: JobId) => db.selectFrom('kits').selectAll().where('job_id', '=', id).execute()

async function blockersOf(id: JobId): Promise<string> {
  const row = await db
    .selectFrom('submissions')
    .selectAll()
    .where('job_id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(row.status, 'FAIL')
  return row.blockers ?? ''
}
