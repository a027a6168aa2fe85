import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { timestamp } from '../clock.ts'
import type { Database, JobsTable, KitsTable } from '../database/schema.ts'
import { onEachDatabase, type StorePlace } from '../../test/each-database.ts'
import { ANYONE } from '../http/caller.ts'
import { type JobId, randomIdentifiers } from '../identifiers.ts'
import { newJob } from '../intake/new-job.ts'
import { leaseOwner, ownerIsGone } from './lease-owner.ts'
import { claimJob, oldestUnclaimed, releaseLeasesOf, renewLease } from './leases.ts'
import { sweep } from './sweeper.ts'
import { type WorkContext, workOnNext } from './work-on-job.ts'
import { startWorker } from './worker.ts'

const HOUR = 3_600_000
const identifiers = randomIdentifiers()
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
const log = { info: () => {}, error: () => {} }
let db: Kysely<Database>

onEachDatabase((database) => {
  let place: StorePlace
  before(async () => {
    place = await database.place()
    db = await place.open()
    const key = { kid: 'kid', x: 'x', provider: 'file', reference: 'r', state: 'active' } as const
    await db
      .insertInto('signing_keys')
      .values({ ...key, created_at: '2026-01-01T00:00:00.000Z', retired_at: null, revoked_at: null })
      .execute()
  })
  after(() => place[Symbol.asyncDispose]())
  beforeEach(async () => {
    clock.time += HOUR
    while ((await workOnNext(worker())).is !== 'idle') clock.time += 1
  })

  test('a waiting job is issued once, with its kit', async () => {
    const id = await submit()
    assert.deepEqual(await workOnNext(worker()), { is: 'issued' })
    assert.deepEqual(await workOnNext(worker()), { is: 'idle' })
    const row = await job(id)
    assert.equal(row.status, 'ISSUED')
    assert.equal(row.kit_id, (await kitsOf(id))[0]?.kit_id)
  })

  test('jobs are taken in the order in which they came', async () => {
    const first = await submit()
    clock.time += 1
    const second = await submit()
    assert.equal((await claimJob(worker()))?.job.job_id, first)
    assert.equal((await claimJob(worker()))?.job.job_id, second)
  })

  test('a job that one worker holds is not given to another before the lease ends', async () => {
    const id = await submit()
    const held = await claimJob(worker())
    assert.equal(await claimJob(worker()), undefined)
    clock.time += 20_000
    assert.ok(held !== undefined && (await renewLease(worker(), held.lease)))
    clock.time += 20_000
    assert.equal(await claimJob(worker()), undefined, 'a renewed lease lives on')
    clock.time += 10_000
    assert.equal((await claimJob(worker()))?.job.job_id, id, 'a silent worker loses the job')
    assert.equal(await renewLease(worker(), held.lease), false)
  })

  test('a worker that lost its lease issues nothing, even when it comes to its end first', async () => {
    const id = await submit()
    const slow = workOnNext(
      worker({
        makeKit: async (claimed) => {
          clock.time += 31_000
          assert.equal((await claimJob(worker()))?.job.job_id, id)
          return madeFor(claimed)
        },
      }),
    )
    assert.deepEqual(await slow, { is: 'lost' })
    assert.deepEqual(await kitsOf(id), [])
    assert.equal((await job(id)).status, 'SUBMITTED')
    clock.time += 31_000
    assert.deepEqual(await workOnNext(worker()), { is: 'issued' })
    assert.equal((await kitsOf(id)).length, 1)
  })

  test('a kit whose key ended while it was sealed is discarded, and the job is not to blame', async () => {
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
    assert.deepEqual(await workOnNext(worker()), { is: 'issued' })
  })

  test('a job that fails each time ends in FAIL with a blocker, after as many attempts as are allowed', async () => {
    const id = await submit()
    const poison = worker({ makeKit: async () => Promise.reject(new Error('can not be sealed')) })
    const results: string[] = []
    for (let turn = 0; turn < 10; turn += 1) {
      results.push((await workOnNext(poison)).is)
      clock.time += 61_000
    }
    assert.deepEqual(results.slice(0, 4), ['given back', 'given back', 'failed', 'idle'])
    const row = await job(id)
    assert.equal(row.status, 'FAIL')
    const [blocker] = JSON.parse(row.blockers ?? '[]') as readonly { code: string; remedy: string }[]
    assert.equal(blocker?.code, 'attempts_exhausted')
    assert.doesNotMatch(row.blockers ?? '', /can not be sealed/, 'nothing of the inside')
  })

  test('a job that kills its process each time ends in FAIL too', async () => {
    const id = await submit()
    for (let crash = 0; crash < 3; crash += 1) {
      assert.ok(await claimJob(worker()))
      clock.time += 31_000
    }
    assert.deepEqual(await workOnNext(worker()), { is: 'failed' })
    assert.equal((await job(id)).status, 'FAIL')
  })

  test('a full disk fails no job: it waits until the disk is mended', async () => {
    const id = await submit()
    const full = worker({
      makeKit: async () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
    })
    for (let turn = 0; turn < 8; turn += 1) {
      assert.deepEqual(await workOnNext(full), { is: 'given back', fault: 'environment' })
      clock.time += 61_000
    }
    assert.deepEqual(await workOnNext(worker()), { is: 'issued' })
    assert.equal((await job(id)).status, 'ISSUED')
  })

  test('the leases of a killed process are taken over at start, and those of a living one are not', async () => {
    const id = await submit()
    const ended = await claimJob(worker({ owner: 'gone' }))
    assert.equal(await releaseLeasesOf(db, (owner) => owner === 'other'), 0)
    assert.equal(await releaseLeasesOf(db, (owner) => owner === 'gone'), 1)
    assert.equal((await claimJob(worker()))?.job.job_id, id)
    assert.ok(ended !== undefined && !(await renewLease(worker(), ended.lease)))
  })

  test('a claim walks the index of waiting jobs and sorts nothing', async () => {
    const { sql: text, parameters } = oldestUnclaimed(db, timestamp(clock.now())).compile()
    const bound = parameters.reduce<string>(
      (done, value) =>
        done.replace(/\?|\$\d+/, typeof value === 'number' ? `${value}` : `'${String(value)}'`),
      text,
    )
    // A table of a few rows is read whole by whoever has the choice.
    const explain = database.name === 'SQLite' ? 'explain query plan' : 'explain'
    const plan = await db.connection().execute(async (connection) => {
      if (database.name === 'PostgreSQL') await sql`set enable_seqscan = off`.execute(connection)
      return JSON.stringify((await sql.raw(`${explain} ${bound}`).execute(connection)).rows)
    })
    assert.match(plan, /using index jobs_waiting|Index Scan using jobs_waiting/i)
    assert.doesNotMatch(plan, /TEMP B-TREE|Sort/)
  })

  test('an unbound draft expires when its time is up, and no earlier', async () => {
    const id = await submit({ status: 'DRAFT', expires_at: timestamp(clock.now() + HOUR) })
    assert.equal((await sweep(db, clock)).draftsExpired, 0)
    clock.time += HOUR
    assert.equal((await sweep(db, clock)).draftsExpired, 1)
    assert.equal((await job(id)).status, 'EXPIRED')
  })

  test('answers are remembered for a day', async () => {
    const answer = {
      scope: 's',
      key: 'k',
      request_hash: '',
      status: 202,
      body: '{}',
      created_at: timestamp(clock.now()),
    }
    await db.insertInto('idempotency').values(answer).execute()
    clock.time += 24 * HOUR - 1
    assert.equal((await sweep(db, clock)).answersForgotten, 0)
    clock.time += 1
    assert.equal((await sweep(db, clock)).answersForgotten, 1)
  })

  test('a woken worker takes new jobs at once, and a stopped one finishes the job in hand and takes no other', async () => {
    const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const running = startWorker(
      worker({
        makeKit: async (claimed) => {
          begun.resolve()
          await mayEnd.promise
          return madeFor(claimed)
        },
      }),
      1,
    )
    const first = await submit()
    running.wake()
    await begun.promise
    const second = await submit()
    running.wake()
    const stopped = running.stop()
    mayEnd.resolve()
    await stopped
    assert.equal((await job(first)).status, 'ISSUED')
    assert.equal((await job(second)).status, 'SUBMITTED')
  })
})

for (const shared of [false, true]) {
  const store = shared ? 'a shared store' : 'the embedded store'
  test(`in ${store} a process is gone only where it ran on this machine and its id is free or our own`, () => {
    const [here, pid] = [ownPlace(), process.pid]
    const self = { owner: `${here}/${pid}/a`, shared }
    assert.equal(ownerIsGone(`${here}/${pid}/a`, self), false, 'itself')
    assert.equal(ownerIsGone(`${here}/${pid}/b`, self), true, 'an earlier process of the same id')
    assert.equal(ownerIsGone(`elsewhere/${pid}/b`, self), false, 'another machine')
    assert.equal(ownerIsGone(`${here}/${process.ppid}/b`, self), false, 'a living process')
    assert.equal(ownerIsGone(`${here}/4194305/b`, self), true, 'a dead one')
  })
}

test('in a shared store a machine of the same name, or a container beside this one, is another place', () => {
  const [host = '', boot = '', table = ''] = ownPlace().split(' ')
  const self = { owner: leaseOwner(), shared: true }
  assert.equal(ownerIsGone(`${host} 0a1b2c3d-0000 ${table}/4194305/b`, self), false)
  assert.equal(ownerIsGone(`${host} ${boot} 1/4194305/b`, self), false)
  assert.equal(ownerIsGone(`${host} ${boot} 1/${process.pid}/b`, self), false)
  assert.equal(ownerIsGone(`${host} ${boot} ${table}/4194305/b`, self), true)
})

function worker(differences: Partial<WorkContext> = {}): WorkContext {
  return {
    db,
    clock,
    owner: 'me',
    leaseMs: 30_000,
    maxAttempts: 3,
    makeKit: madeFor,
    settle: { issued: async () => {}, failed: async () => {} },
    discard: async () => {},
    ended: () => {},
    log,
    ...differences,
  }
}

const madeFor = async (claimed: Readonly<JobsTable>) => ({ is: 'kit', kit: await kitFor(claimed) }) as const

async function kitFor(claimed: Readonly<JobsTable>): Promise<KitsTable> {
  const text = {
    issued_at: '2026-01-01T00:00:00.000Z',
    receipt_version: '',
    manifest_sha256: '',
    downloads: '{}',
    receipt: '{}',
    entries: '[]',
  }
  return { kit_id: identifiers.kitId(), job_id: claimed.job_id, public_key_kid: 'kid', ...text }
}

async function submit(differences: Partial<JobsTable> = {}): Promise<JobId> {
  const asked = { tenant_id: 't', scope_label: 's', status: 'SUBMITTED' } as const
  const created = newJob({ clock, identifiers, config: { draftTtlHours: 1 } }, asked, ANYONE)
  const row: JobsTable = { ...created, ...differences }
  await db.insertInto('jobs').values(row).execute()
  return row.job_id
}

const job = (id: JobId) =>
  db.selectFrom('jobs').selectAll().where('job_id', '=', id).executeTakeFirstOrThrow()
const kitsOf = (id: JobId) => db.selectFrom('kits').selectAll().where('job_id', '=', id).execute()
const ownPlace = (): string => leaseOwner().split('/')[0] ?? ''
