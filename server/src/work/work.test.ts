import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { timestamp } from '../runtime/clock.ts'
import type { Database, JobsTable, KitsTable } from '../database/schema.ts'
import { onEachDatabase, type EmptyDatabase } from '../../test/each-database.ts'
import { ANYONE } from '../http/caller.ts'
import { type JobId, randomIdentifiers, type WorkspaceId } from '../runtime/identifiers.ts'
import { newJob } from '../submissions/new-job.ts'
import { jobSlots } from './job-slots.ts'
import { leaseOwner, ownerIsGone } from '../runtime/lease-owner.ts'
import {
  claimJob,
  claimingJobs,
  type ClaimedJob,
  releaseLeasesOf,
  renewLease,
  waitingJobs,
} from './leases.ts'
import { passingTogether } from './pass-jobs.ts'
import { sweep } from './sweeper.ts'
import { type WorkContext, workOnNext } from './work-on-job.ts'
import { startWorker } from './worker.ts'

const HOUR = 3_600_000
const identifiers = randomIdentifiers()
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
const log = { info: () => {}, error: () => {} }
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
  beforeEach(async () => {
    clock.time += HOUR
    while ((await workOnNext(worker())).is !== 'idle') clock.time += 1
  })

  test('a waiting job passes once, and its kit waits for the log', async () => {
    const id = await submit()
    assert.deepEqual(await workOnNext(worker()), { is: 'passed' })
    assert.deepEqual(await workOnNext(worker()), { is: 'idle' })
    const row = await job(id)
    assert.deepEqual([row.status, row.kit_id], ['PASS', null])
    const [kit] = await kitsOf(id)
    const leaf = db
      .selectFrom('log_leaves')
      .select('leaf_index')
      .where('kit_id', '=', kit?.kit_id ?? null)
    assert.deepEqual(await leaf.execute(), [{ leaf_index: null }])
  })

  test('jobs are claimed in order of submission', async () => {
    const first = await submit()
    clock.time += 1
    const second = await submit()
    assert.equal((await claimJob(worker()))?.job.job_id, first)
    assert.equal((await claimJob(worker()))?.job.job_id, second)
  })

  test('workspaces take turns: many jobs of one do not delay the job of another', async () => {
    const [many, few] = [await workspace('ws_many'), await workspace('ws_few')]
    const waiting: JobId[] = []
    for (let count = 0; count < 4; count += 1) {
      clock.time += 1
      waiting.push(await submit({ workspace_id: many }))
    }
    clock.time += 1
    const late = [await submit({ workspace_id: few }), await submit()]
    const slots = jobSlots()
    const claimed: (JobId | undefined)[] = []
    for (let count = 0; count < 7; count += 1)
      claimed.push((await slots.claim((previous) => claimingJobs(worker(), 1)(previous)))?.claimed.job.job_id)
    assert.deepEqual(claimed.slice(0, 3).toSorted(), [waiting[0], ...late].toSorted())
    assert.deepEqual(claimed.slice(3), [...waiting.slice(1), undefined])
  })

  test('jobs of one workspace are claimed together, up to a limit, and at most one of them is a retry', async () => {
    const [one, other] = [await workspace('ws_one'), await workspace('ws_other')]
    const waiting: JobId[] = []
    for (const workspace_id of [one, one, one, one, other]) {
      clock.time += 1
      waiting.push(await submit({ workspace_id }))
    }
    assert.deepEqual(idsOf(await claimingJobs(worker(), 3)('')), waiting.slice(0, 3))
    assert.deepEqual(idsOf(await claimingJobs(worker(), 3)(one)), waiting.slice(4))
    // All leases expire, so four of the five jobs are retries now.
    clock.time += 31_000
    const again = await claimingJobs(worker(), 4)(other)
    assert.deepEqual(idsOf(again), [waiting[0], waiting[3]])
    assert.deepEqual(
      again.map(({ job: { attempts } }) => attempts),
      [2, 1],
    )
    assert.equal((await job(waiting[1]!)).attempts, 1, 'the others lose no attempt')
  })

  test('a worker that claims several jobs gives those back that did not start', async () => {
    const started = Promise.withResolvers<void>()
    const mayFinish = Promise.withResolvers<void>()
    const running = startWorker(
      worker({
        claim: claimingJobs(worker(), 8),
        makeKit: async (claimed) => {
          started.resolve()
          await mayFinish.promise
          return makeKit(claimed)
        },
      }),
      1,
    )
    const jobs = [await submit(), await submit(), await submit()]
    running.wake()
    await started.promise
    const stopped = running.stop()
    mayFinish.resolve()
    await stopped
    const states = await Promise.all(jobs.map(job))
    assert.deepEqual(states.map(({ status }) => status).toSorted(), ['PASS', 'SUBMITTED', 'SUBMITTED'])
    for (const { status, lease_owner, attempts } of states)
      if (status === 'SUBMITTED') assert.deepEqual([lease_owner, attempts], [null, 0])
  })

  test('a leased job cannot be claimed until the lease expires', async () => {
    const id = await submit()
    const held = await claimJob(worker())
    assert.equal(await claimJob(worker()), undefined)
    clock.time += 20_000
    assert.ok(held !== undefined && (await renewLease(worker(), held.lease)))
    clock.time += 20_000
    assert.equal(await claimJob(worker()), undefined, 'the lease was renewed')
    clock.time += 10_000
    assert.equal((await claimJob(worker()))?.job.job_id, id, 'the lease expired')
    assert.equal(await renewLease(worker(), held.lease), false)
  })

  test('a worker that lost its lease cannot issue a kit', async () => {
    const id = await submit()
    const slow = workOnNext(
      worker({
        makeKit: async (claimed) => {
          clock.time += 31_000
          assert.equal((await claimJob(worker()))?.job.job_id, id)
          return makeKit(claimed)
        },
      }),
    )
    assert.deepEqual(await slow, { is: 'lost' })
    assert.deepEqual(await kitsOf(id), [])
    assert.equal((await job(id)).status, 'SUBMITTED')
    clock.time += 31_000
    assert.deepEqual(await workOnNext(worker()), { is: 'passed' })
    assert.equal((await kitsOf(id)).length, 1)
  })

  test('a kit whose key was retired during sealing is discarded, and the job is retried', async () => {
    const id = await submit()
    const discarded: string[] = []
    const ended = worker({
      makeKit: async (claimed) => ({
        is: 'kit',
        kit: { ...(await kitFor(claimed)), issued_at: '2025-12-31T23:59:59.999Z' },
      }),
      discard: async (kit) => void discarded.push(kit.job_id),
    })
    assert.deepEqual(await workOnNext(ended), { is: 'given back', fault: 'environment' })
    assert.deepEqual(discarded, [id])
    assert.deepEqual(await kitsOf(id), [])
    clock.time += 61_000
    assert.deepEqual(await workOnNext(worker()), { is: 'passed' })
  })

  test('a job that always fails ends in FAIL with a blocker after the maximum number of attempts', async () => {
    const id = await submit()
    const poison = worker({ makeKit: async () => Promise.reject(new Error('cannot seal')) })
    const results: string[] = []
    for (let run = 0; run < 10; run += 1) {
      results.push((await workOnNext(poison)).is)
      clock.time += 61_000
    }
    assert.deepEqual(results.slice(0, 4), ['given back', 'given back', 'failed', 'idle'])
    const row = await job(id)
    assert.equal(row.status, 'FAIL')
    const [blocker] = JSON.parse(row.blockers ?? '[]') as readonly { code: string; remedy: string }[]
    assert.equal(blocker?.code, 'attempts_exhausted')
    assert.doesNotMatch(row.blockers ?? '', /cannot seal/, 'no internal details')
  })

  test('a job that always crashes its process ends in FAIL', async () => {
    const id = await submit()
    for (let crash = 0; crash < 3; crash += 1) {
      assert.ok(await claimJob(worker()))
      clock.time += 31_000
    }
    assert.deepEqual(await workOnNext(worker()), { is: 'failed' })
    assert.equal((await job(id)).status, 'FAIL')
  })

  test('a full disk does not fail a job: it is retried until there is space', async () => {
    const id = await submit()
    const full = worker({
      makeKit: async () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
    })
    for (let run = 0; run < 8; run += 1) {
      assert.deepEqual(await workOnNext(full), { is: 'given back', fault: 'environment' })
      clock.time += 61_000
    }
    assert.deepEqual(await workOnNext(worker()), { is: 'passed' })
    assert.equal((await job(id)).status, 'PASS')
  })

  test('leases of a killed process are released at start, those of a running one are not', async () => {
    const id = await submit()
    const ended = await claimJob(worker({ owner: 'gone' }))
    assert.equal(await releaseLeasesOf(db, (owner) => owner === 'other'), 0)
    assert.equal(await releaseLeasesOf(db, (owner) => owner === 'gone'), 1)
    assert.equal((await claimJob(worker()))?.job.job_id, id)
    assert.ok(ended !== undefined && !(await renewLease(worker(), ended.lease)))
  })

  for (const previous of ['', 'ws_a'])
    test(`a claim uses the index of waiting jobs and does not sort, ${previous === '' ? 'for the first workspace' : 'for the next one'}`, async () => {
      const now = timestamp(clock.now())
      const plan = await db.connection().execute(async (connection) => {
        // PostgreSQL would scan such a small table.
        if (database.name === 'PostgreSQL') await sql`set enable_seqscan = off`.execute(connection)
        const { sql: text, parameters } = waitingJobs(connection, now, previous, 8).compile()
        const explain = database.name === 'SQLite' ? 'explain query plan' : 'explain'
        const query = CompiledQuery.raw(`${explain} ${text}`, [...parameters])
        return JSON.stringify((await connection.executeQuery(query)).rows)
      })
      assert.match(plan, /using index jobs_waiting|Index Scan using jobs_waiting/i)
      assert.doesNotMatch(plan, /TEMP B-TREE|Sort/)
    })

  test('a draft expires at its expiry time and not earlier', async () => {
    const id = await submit({ status: 'DRAFT', expires_at: timestamp(clock.now() + HOUR) })
    assert.equal((await sweep(db, clock)).draftsExpired, 0)
    clock.time += HOUR
    assert.equal((await sweep(db, clock)).draftsExpired, 1)
    assert.equal((await job(id)).status, 'EXPIRED')
  })

  test('idempotent responses are kept for a day', async () => {
    const response = {
      scope: 's',
      key: 'k',
      request_hash: '',
      status: 202,
      body: '{}',
      created_at: timestamp(clock.now()),
    }
    await db.insertInto('idempotency').values(response).execute()
    clock.time += 24 * HOUR - 1
    assert.equal((await sweep(db, clock)).answersForgotten, 0)
    clock.time += 1
    assert.equal((await sweep(db, clock)).answersForgotten, 1)
  })

  test('each wake() starts one waiting job, and several run at once', async () => {
    const both = Promise.withResolvers<void>()
    const working = new Set<JobId>()
    const running = startWorker(
      worker({
        makeKit: async (claimed) => {
          working.add(claimed.job_id)
          if (working.size === 2) both.resolve()
          await both.promise
          return makeKit(claimed)
        },
      }),
      2,
    )
    const jobs: JobId[] = []
    for (let count = 0; count < 2; count += 1) {
      jobs.push(await submit())
      running.wake()
    }
    await both.promise
    await running.stop()
    for (const id of jobs) assert.equal((await job(id)).status, 'PASS')
  })

  test('wake() starts new jobs immediately, and stop() finishes the running job and starts no other', async () => {
    const [started, mayFinish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const running = startWorker(
      worker({
        makeKit: async (claimed) => {
          started.resolve()
          await mayFinish.promise
          return makeKit(claimed)
        },
      }),
      1,
    )
    const first = await submit()
    running.wake()
    await started.promise
    const second = await submit()
    running.wake()
    const stopped = running.stop()
    mayFinish.resolve()
    await stopped
    assert.equal((await job(first)).status, 'PASS')
    assert.equal((await job(second)).status, 'SUBMITTED')
  })
})

for (const shared of [false, true]) {
  const database = shared ? 'PostgreSQL' : 'SQLite'
  test(`with ${database}, a lease owner is gone only if it ran on this machine and its process ID is unused or our own`, () => {
    const [machine, pid] = [thisMachine(), process.pid]
    const self = { owner: `${machine}/${pid}/a`, shared }
    assert.equal(ownerIsGone(`${machine}/${pid}/a`, self), false, 'itself')
    assert.equal(ownerIsGone(`${machine}/${pid}/b`, self), true, 'an earlier process with the same ID')
    assert.equal(ownerIsGone(`other/${pid}/b`, self), false, 'another machine')
    assert.equal(ownerIsGone(`${machine}/${process.ppid}/b`, self), false, 'a running process')
    assert.equal(ownerIsGone(`${machine}/4194305/b`, self), true, 'an ended process')
  })
}

test('with PostgreSQL, another boot or another container on this host counts as another machine', () => {
  const [host = '', boot = '', table = ''] = thisMachine().split(' ')
  const self = { owner: leaseOwner(), shared: true }
  assert.equal(ownerIsGone(`${host} 0a1b2c3d-0000 ${table}/4194305/b`, self), false)
  assert.equal(ownerIsGone(`${host} ${boot} 1/4194305/b`, self), false)
  assert.equal(ownerIsGone(`${host} ${boot} 1/${process.pid}/b`, self), false)
  assert.equal(ownerIsGone(`${host} ${boot} ${table}/4194305/b`, self), true)
})

function worker(overrides: Partial<WorkContext> = {}): WorkContext {
  return {
    db,
    clock,
    owner: 'me',
    leaseMs: 30_000,
    maxAttempts: 3,
    makeKit,
    settle: { issued: async () => {}, failed: async () => {} },
    claim: claimingJobs({ db, clock, owner: 'me', leaseMs: 30_000 }),
    pass: passingTogether({ db, clock, owner: 'me', leaseMs: 30_000 }),
    discard: async () => {},
    ended: () => {},
    log,
    ...overrides,
  }
}

const makeKit = async (claimed: Readonly<JobsTable>) => ({ is: 'kit', kit: await kitFor(claimed) }) as const

async function kitFor(claimed: Readonly<JobsTable>): Promise<KitsTable> {
  const text = {
    issued_at: '2026-01-01T00:00:00.000Z',
    receipt_version: '',
    manifest_sha256: '',
    downloads: '{}',
    receipt: JSON.stringify({ job_id: claimed.job_id, public_key_kid: 'kid' }),
    entries: '[]',
    zip_sha256: null,
    log_proof: null,
    time_stamp: null,
  }
  return { kit_id: identifiers.kitId(), job_id: claimed.job_id, public_key_kid: 'kid', ...text }
}

async function workspace(id: string): Promise<WorkspaceId> {
  await sql`insert into plans (plan, api_access, upload_limit_bytes, unpacked_limit_bytes, unpacked_files, unpacked_ratio,
    rate_per_minute, created_at, updated_at) values ('p', 1, 1, 1, 1, 1, 1, 't', 't') on conflict do nothing`.execute(
    db,
  )
  await sql`insert into workspaces (workspace_id, name, plan, credits_available, credits_held,
    ledger_entries, audit_events, created_at, updated_at) values (${id}, ${id}, 'p', 0, 0, 0, 0, 't', 't')`.execute(
    db,
  )
  return id as WorkspaceId
}

async function submit(overrides: Partial<JobsTable> = {}): Promise<JobId> {
  const request = { tenant_id: 't', scope_label: 's', status: 'SUBMITTED' } as const
  const created = newJob({ clock, identifiers, config: { draftTtlHours: 1 } }, request, ANYONE)
  const row: JobsTable = { ...created, ...overrides }
  await db.insertInto('jobs').values(row).execute()
  return row.job_id
}

const idsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ job: { job_id } }) => job_id)
const job = (id: JobId) =>
  db.selectFrom('jobs').selectAll().where('job_id', '=', id).executeTakeFirstOrThrow()
const kitsOf = (id: JobId) => db.selectFrom('kits').selectAll().where('job_id', '=', id).execute()
const thisMachine = (): string => leaseOwner().split('/')[0] ?? ''
