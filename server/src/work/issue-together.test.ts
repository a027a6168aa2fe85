import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { parseTlogProof, utf8 } from '@kitseal/kit'
import type { Kysely } from 'kysely'
import { type EmptyDatabase, onEachDatabase } from '../../test/each-database.ts'
import { marksIn } from '../../test/test-places.ts'
import { appendKeyEvent } from '../database/append-leaf.ts'
import type { Database, KitsTable } from '../database/schema.ts'
import { ANYONE } from '../http/caller.ts'
import { type JobId, randomIdentifiers } from '../runtime/identifiers.ts'
import { newJob } from '../submissions/new-job.ts'
import { fileKeys } from '../keys/file-signer.ts'
import { freezeLog } from '../log/freeze-log.ts'
import { readLog } from '../log/log-key.ts'
import { type TransparencyLog, transparencyLog } from '../log/transparency-log.ts'
import type { FinishedJob } from './issue-at-once.ts'
import { type IssueTogether, issuingTogether, type TogetherContext } from './issue-together.ts'
import { claimJob, releaseLeasesOf } from './leases.ts'
import { passJob } from './pass-job.ts'

const identifiers = randomIdentifiers()
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
let db: Kysely<Database>
let folder: string
let settled: JobId[] = []

onEachDatabase((database) => {
  let store: EmptyDatabase
  before(async () => {
    store = await database.create()
    db = await store.open()
    folder = mkdtempSync(join(tmpdir(), 'kitseal-together-'))
    const log = openLog()
    await log.ensure('issuer.example/log')
    const key = { provider: 'file', reference: 'r', created_at: '2026-01-01T00:00:00.000Z' } as const
    const ended = {
      ...key,
      kid: 'ended',
      x: 'ended',
      state: 'active',
      retired_at: null,
      revoked_at: null,
    } as const
    await db.insertInto('signing_keys').values(ended).execute()
    await db
      .updateTable('signing_keys')
      .set({ state: 'revoked', revoked_at: '2026-01-01T00:00:01.000Z' })
      .execute()
    await db
      .insertInto('signing_keys')
      .values({ ...ended, kid: 'kid', x: 'kid' })
      .execute()
    // The first entry of the mark.
    await appendKeyEvent(db, 'kid', 'added', '2026-01-01T00:00:00.000Z')
    await log.sequence()
    await log.checkpoint()
  })
  beforeEach(() => {
    settled = []
  })
  after(async () => {
    await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  test('kits that wait together are issued with proofs to one checkpoint, and each is settled once', async () => {
    const jobs = [await finished(), await finished(), await finished()]
    assert.deepEqual(await Promise.all(jobs.map(together())), [true, true, true])
    const rows = await Promise.all(jobs.map(stateOf))
    for (const [at, { status, kit_id, zip_sha256 }] of rows.entries())
      assert.deepEqual([status, kit_id, zip_sha256], ['ISSUED', jobs[at]?.made.kit.row.kit_id, 'hash'])
    const sizes = rows.map(({ log_proof }) => parseTlogProof(utf8(log_proof ?? '')).checkpoint.size)
    assert.equal(new Set(sizes).size, 1)
    assert.deepEqual(settled.toSorted(), jobs.map(idOf).toSorted())
    const log = openLog()
    assert.equal(await log.check(), undefined)
    assert.equal(Buffer.from(await log.proofAt(0)).length > 0, true)
  })

  test('kits wait for others that are being made, and for none that is not', async () => {
    const jobs = [await finished(), await finished(), await finished()]
    let making = 3
    const issue = together({ isMore: () => making > 0 })
    const results = jobs.map((job) => {
      making -= 1
      return issue(job)
    })
    assert.deepEqual(await Promise.all(results), [true, true, true])
    const rows = await Promise.all(jobs.map(stateOf))
    const sizes = rows.map(({ log_proof }) => parseTlogProof(utf8(log_proof ?? '')).checkpoint.size)
    assert.equal(new Set(sizes).size, 1, 'one batch')
    making = 1
    assert.equal(await issue(await finished()), true, 'not for long')
  })

  test('a lost lease or an ended key stops one kit of a batch, and nothing of it is stored', async () => {
    const issue = together()
    const [first, lost, ended, last] = [
      await finished(),
      await finished('gone'),
      await finished('me', 'ended'),
      await finished(),
    ]
    await releaseLeasesOf(db, (owner) => owner === 'gone')
    const size = (await readLog(db))?.size ?? 0
    const results = await Promise.allSettled([first, lost, ended, last].map(issue))
    assert.deepEqual(
      results.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).name)),
      [true, 'LeaseLost', 'KeyEnded', true],
    )
    for (const { claimed } of [lost, ended]) {
      const id = claimed.job.job_id
      assert.deepEqual(await db.selectFrom('kits').select('kit_id').where('job_id', '=', id).execute(), [])
    }
    assert.equal((await readLog(db))?.size, size + 2)
    assert.deepEqual(settled.toSorted(), [first, last].map(idOf).toSorted())
  })

  test('a kit that was signed outside the life of its key passes alone, and is rejected there', async () => {
    const job = await finished()
    const { row } = job.made.kit
    const early = { ...job.made.kit, row: { ...row, issued_at: '2025-12-31T23:59:59.999Z' } }
    const issue = together()
    assert.equal(await issue({ ...job, made: { ...job.made, kit: early } }), false)
    const passing = passJob({ db, clock, owner: 'me', leaseMs: 30_000 }, job.claimed.lease, early.row)
    await assert.rejects(passing, { name: 'KeyEnded' })
  })

  test('a kit that cannot be issued passes alone, and the others of its batch are issued', async () => {
    const [first, damaged, unsettled, last] = [
      await finished(),
      await finished(),
      await finished(),
      await finished(),
    ]
    const issue = together({
      settle: {
        issued: async (_, issued) => {
          const jobs = issued.map(({ job }) => job.job_id)
          if (jobs.includes(idOf(unsettled))) throw new Error('no credit')
          settled.push(...jobs)
        },
        failed: async () => {},
      },
    })
    const { kit } = damaged.made
    const broken = { ...kit, zipSha256: () => Promise.reject(new Error('damaged')) }
    const bad = { ...damaged, made: { ...damaged.made, kit: broken } }
    assert.deepEqual(await Promise.all([first, bad, unsettled, last].map(issue)), [true, false, false, true])
    assert.deepEqual(settled.toSorted(), [first, last].map(idOf).toSorted())
  })

  test('leaves that wait come before the kits of a batch', async () => {
    await appendKeyEvent(db, 'kid', 'retired', '2026-01-01T00:00:00.000Z')
    const job = await finished()
    assert.equal(await together()(job), true)
    const leaves = await db
      .selectFrom('log_leaves')
      .select(['kit_id', 'leaf_index'])
      .orderBy('leaf_index', 'desc')
      .limit(2)
      .execute()
    assert.deepEqual(
      leaves.map(({ kit_id }) => kit_id),
      [job.made.kit.row.kit_id, null],
    )
  })

  test('two processes that issue at the same time extend one tree', async () => {
    const jobs = await Promise.all(Array.from({ length: 12 }, () => finished()))
    const size = (await readLog(db))?.size ?? 0
    const processes = [together(), together({}, openLog('other'))]
    const results = await Promise.all(
      jobs.map(async (job, at) => {
        if ((await processes[at % 2]?.(job)) === true) return
        // Overtaken too often: it waits for the log.
        await passJob({ db, clock, owner: 'me', leaseMs: 30_000 }, job.claimed.lease, job.made.kit.row)
      }),
    )
    assert.equal(results.length, 12)
    const log = openLog('third')
    while ((await log.sequence()) > 0);
    assert.equal((await readLog(db))?.size, size + 12)
    assert.equal(await log.check(), undefined, 'the log is not frozen')
  })

  test('no kit is issued while the log is frozen: it passes, and waits', async () => {
    const job = await finished()
    await freezeLog(db, 'a test', clock)
    assert.equal(await together()(job), false)
    assert.equal(
      (await db.selectFrom('kits').select('kit_id').where('job_id', '=', idOf(job)).execute()).length,
      0,
    )
    await db.updateTable('log').set({ frozen_at: null, frozen_reason: null }).execute()
    assert.equal(await together()(job), true)
  })

  test('what is issued is recorded in the mark, and what was not committed is withdrawn', async () => {
    const issue = together()
    const [job, unsettled] = [await finished(), await finished()]
    await issue(job)
    const failing = together({
      settle: { issued: () => Promise.reject(new Error('no credit')), failed: async () => {} },
    })
    assert.equal(await failing(unsettled), false)
    const { size, root } = (await readLog(db)) ?? {}
    const [name = ''] = readdirSync(join(folder, 'marks'))
    const lines = readFileSync(join(folder, 'marks', name), 'utf8')
      .trimEnd()
      .split('\n')
    assert.ok(lines.includes(`${size} ${root}`))
    const [announced = '', withdrawn = ''] = lines.slice(-2)
    assert.match(announced, /^\+/)
    assert.equal(withdrawn, `-${announced.slice(1)}`)
  })
})

const idOf = ({ claimed }: FinishedJob): JobId => claimed.job.job_id

function openLog(owner = 'me'): TransparencyLog {
  return transparencyLog({
    db,
    clock,
    providers: [fileKeys({ directory: join(folder, 'keys') })],
    marks: marksIn(folder),
    self: { owner, isGone: () => false },
  })
}

function together(overrides: Partial<TogetherContext> = {}, log = openLog()): IssueTogether {
  assert.ok(log.atOnce !== undefined)
  return issuingTogether({
    db,
    clock,
    owner: 'me',
    leaseMs: 30_000,
    atOnce: log.atOnce,
    settle: {
      issued: async (_, issued) => void settled.push(...issued.map(({ job }) => job.job_id)),
      failed: async () => {},
    },
    log: { info: () => {}, error: () => {} },
    ended: () => {},
    ...overrides,
  })
}

/** A claimed job with a sealed kit. */
async function finished(owner = 'me', kid = 'kid'): Promise<FinishedJob> {
  const request = { tenant_id: 't', scope_label: 's', status: 'SUBMITTED' } as const
  const job = newJob({ clock, identifiers, config: { draftTtlHours: 1 } }, request, ANYONE)
  await db.insertInto('jobs').values(job).execute()
  const claimed = await claimJob({ db, clock, owner, leaseMs: 30_000 })
  assert.ok(claimed !== undefined)
  const { job_id } = claimed.job
  const row: KitsTable = {
    kit_id: identifiers.kitId(),
    job_id,
    public_key_kid: kid,
    issued_at: '2026-01-01T00:00:00.000Z',
    receipt_version: '',
    manifest_sha256: '',
    downloads: '{}',
    receipt: JSON.stringify({ job_id, public_key_kid: kid }),
    entries: '[]',
    zip_sha256: null,
    log_proof: null,
    time_stamp: null,
  }
  return { claimed, made: { is: 'kit', kit: { row, zipSha256: async () => 'hash' } } }
}

function stateOf({ claimed }: FinishedJob) {
  return db
    .selectFrom('jobs')
    .innerJoin('kits', 'kits.job_id', 'jobs.job_id')
    .select(['jobs.status', 'jobs.kit_id', 'kits.log_proof', 'kits.zip_sha256'])
    .where('jobs.job_id', '=', claimed.job.job_id)
    .executeTakeFirstOrThrow()
}
