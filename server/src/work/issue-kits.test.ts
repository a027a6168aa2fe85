import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { parseTlogProof, utf8 } from '@kitseal/kit/internal'
import type { Kysely } from 'kysely'
import { type EmptyDatabase, onEachDatabase } from '../../test/each-database.ts'
import { marksIn } from '../../test/marks-in.ts'
import type { Database, KitsTable } from '../database/schema.ts'
import { ANYONE } from '../http/caller.ts'
import { type JobId, randomIdentifiers } from '../runtime/identifiers.ts'
import { newJob } from '../submissions/new-job.ts'
import { fileKeys } from '../keys/file-signer.ts'
import { freezeLog } from '../log/freeze-log.ts'
import { type TransparencyLog, transparencyLog } from '../log/transparency-log.ts'
import { type IssueContext, kitIssuer } from './issue-kits.ts'
import { claimJob, releaseLeasesOf } from './leases.ts'
import { passJobs } from './pass-jobs.ts'

const LEASE_MS = 30_000
const identifiers = randomIdentifiers()
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
let db: Kysely<Database>
let log: TransparencyLog
let folder: string
let settled: JobId[] = []

onEachDatabase((database) => {
  let store: EmptyDatabase
  before(async () => {
    store = await database.create()
    db = await store.open()
    folder = mkdtempSync(join(tmpdir(), 'kitseal-issue-'))
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
  beforeEach(() => {
    settled = []
    clock.time += 10 * LEASE_MS
  })
  after(async () => {
    await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  test('a batch of kits is issued with proofs to one checkpoint, and each is settled once', async () => {
    const kits = [await passed(), await passed(), await passed()]
    const issuer = remembering(kits)
    assert.equal(await issuer.issue(), 0, 'not before they are in the log')
    await log.sequence()
    assert.equal(await issuer.issue(), 3)
    assert.equal(await issuer.issue(), 0)
    const rows = await Promise.all(kits.map((row) => stateOf(row)))
    assert.deepEqual(
      rows.map(({ status, kit_id }) => [status, kit_id]),
      kits.map((row) => ['ISSUED', row.kit_id]),
    )
    const proofs = rows.map(({ log_proof }) => parseTlogProof(utf8(log_proof ?? '')))
    assert.equal(new Set(proofs.map(({ checkpoint }) => checkpoint.size)).size, 1)
    assert.deepEqual(settled.toSorted(), kits.map((row) => row.job_id).toSorted())
  })

  test('two processes that issue the same kits at once settle each of them once', async () => {
    const kits = await Promise.all(Array.from({ length: 8 }, () => passed()))
    await log.sequence()
    const counts = await Promise.all([remembering(kits).issue(), remembering(kits).issue()])
    assert.equal(counts[0] + counts[1], kits.length)
    assert.equal(new Set(settled).size, settled.length)
    assert.equal(settled.length, kits.length)
  })

  test('a kit is left to the process that sealed it, until its lease ends or the process does', async () => {
    const [late, released] = [await passed(), await passed('gone')]
    await log.sequence()
    const other = remembering([late, released], { owner: 'other' })
    assert.equal(await other.issue(), 0)
    assert.equal(await releaseLeasesOf(db, (owner) => owner === 'gone'), 1)
    assert.equal(await other.issue(), 1)
    assert.equal((await stateOf(released)).status, 'ISSUED')
    clock.time += LEASE_MS
    assert.equal(await other.issue(), 1)
    assert.equal((await stateOf(late)).status, 'ISSUED')
  })

  test('a kit that cannot be issued stays PASS and is retried later, and the others of its batch are issued', async () => {
    const kits = [await passed(), await passed(), await passed()]
    const [bad, unsettled, good] = kits as [KitsTable, KitsTable, KitsTable]
    await log.sequence()
    const broken = { ...bad, receipt: JSON.stringify({ job_id: 'of another kit', public_key_kid: 'kid' }) }
    const issuer = remembering([broken, unsettled, good], {
      settle: {
        issued: async (_, issued) => {
          const jobs = issued.map(({ job }) => job.job_id)
          if (jobs.includes(unsettled.job_id)) throw new Error('no credit')
          settled.push(...jobs)
        },
        failed: async () => {},
      },
    })
    assert.equal(await issuer.issue(), 1)
    assert.deepEqual(settled.at(-1), good.job_id)
    for (const row of [bad, unsettled])
      assert.deepEqual(
        await stateOf(row).then(({ status, kit_id, log_proof }) => [status, kit_id, log_proof]),
        ['PASS', null, null],
      )
    clock.time += 60_000
    assert.equal(await remembering(kits).issue(), 2)
  })

  test('each kit of a batch gets its own proof, and one that was issued meanwhile is left out', async () => {
    const kits: KitsTable[] = []
    for (let count = 0; count < 7; count += 1) kits.push(await passed())
    const [first] = kits
    assert.ok(first !== undefined)
    await log.sequence()
    const overtaken = remembering(kits, {
      crew: { run: () => assert.fail('every kit is remembered') },
      transparencyLog: {
        ...log,
        // Between the search for kits and the transaction.
        published: async () => {
          await db
            .updateTable('jobs')
            .set({ lease_owner: 'other' })
            .where('job_id', '=', first.job_id)
            .execute()
          assert.equal(await remembering(kits, { owner: 'other' }).issue(), 1)
          return log.published()
        },
      },
    })
    assert.equal(await overtaken.issue(), 6)
    const proofs = new Set<string | null>()
    for (const row of kits) {
      const { status, kit_id, log_proof } = await stateOf(row)
      assert.deepEqual([status, kit_id], ['ISSUED', row.kit_id])
      proofs.add(log_proof)
    }
    assert.equal(proofs.size, 7)
    for (const row of kits) assert.equal(settled.filter((id) => id === row.job_id).length, 1)
  })

  test('no kit is issued while the log is frozen', async () => {
    const kit = await passed()
    await log.sequence()
    await freezeLog(db, 'a test', clock)
    const issuer = remembering([kit])
    assert.equal(await issuer.issue(), 0)
    assert.equal((await stateOf(kit)).status, 'PASS')
    await db.updateTable('log').set({ frozen_at: null, frozen_reason: null }).execute()
    assert.equal(await issuer.issue(), 1)
  })

  test('a kit whose key was revoked after it passed is issued', async () => {
    const kit = await passed()
    await log.sequence()
    await db
      .updateTable('signing_keys')
      .set({ state: 'revoked', revoked_at: '2026-01-02T00:00:00.000Z' })
      .execute()
    assert.equal(await remembering([kit]).issue(), 1)
  })
})

function remembering(kits: readonly KitsTable[], overrides: Partial<IssueContext> = {}) {
  const issuer = kitIssuer({
    db,
    clock,
    owner: 'me',
    leaseMs: LEASE_MS,
    crew: { run: () => assert.fail('every kit is remembered') },
    transparencyLog: log,
    settle: {
      issued: async (_, issued) => void settled.push(...issued.map(({ job }) => job.job_id)),
      failed: async () => {},
    },
    log: { info: () => {}, error: () => {} },
    ended: () => {},
    ...overrides,
  })
  for (const kit of kits) issuer.remember({ kit })
  return issuer
}

/** A kit whose job is PASS. */
async function passed(owner = 'me'): Promise<KitsTable> {
  const request = { tenant_id: 't', scope_label: 's', status: 'SUBMITTED' } as const
  const job = newJob({ clock, identifiers, config: { draftTtlHours: 1 } }, request, ANYONE)
  await db.insertInto('jobs').values(job).execute()
  const leases = { db, clock, owner, leaseMs: LEASE_MS }
  const claimed = await claimJob(leases)
  assert.ok(claimed !== undefined)
  const { job_id } = claimed.job
  const row: KitsTable = {
    kit_id: identifiers.kitId(),
    job_id,
    public_key_kid: 'kid',
    issued_at: '2026-01-01T00:00:00.000Z',
    receipt_version: '',
    manifest_sha256: '',
    downloads: '{}',
    receipt: JSON.stringify({ job_id, public_key_kid: 'kid' }),
    entries: '[]',
    zip_sha256: null,
    log_proof: null,
    time_stamp: null,
  }
  await passJobs(leases, [{ claimed, made: { is: 'kit', kit: row } }])
  return row
}

function stateOf({ job_id }: KitsTable) {
  return db
    .selectFrom('jobs')
    .innerJoin('kits', 'kits.job_id', 'jobs.job_id')
    .select(['jobs.status', 'jobs.kit_id', 'kits.log_proof'])
    .where('jobs.job_id', '=', job_id)
    .executeTakeFirstOrThrow()
}
