import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import {
  LEAF_VERSION,
  noteBytes,
  parseCertificates,
  parseCheckpoint,
  parsePolicy,
  parseTimeStamp,
  parseVkey,
  type Quorum,
  signatureLine,
  utf8,
  verifyCheckpoint,
  verifyTimeStamp,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import { startWitness } from '../../../test/kit/witness.ts'
import { type NoteSigner, testWitness } from '../../../kit/test/make-log.ts'
import { type EmptyDatabase, onEachDatabase } from '../../test/each-database.ts'
import { type HostileWitness, hostileWitness } from '../../../test/kit/hostile-witness.ts'
import { marksIn } from '../../test/marks-in.ts'
import { noOpenssl, timeStampAuthority } from '../../../test/kit/time-stamp-authority.ts'
import { systemClock } from '../runtime/clock.ts'
import { appendLeaf } from '../database/append-leaf.ts'
import type { Database } from '../database/schema.ts'
import { fileKeys } from '../keys/file-signer.ts'
import type { TimeStampAuthorities } from './ask-authorities.ts'
import { cosigning } from './cosign-checkpoints.ts'
import { freezeLog, LogFrozen, readFrozen } from './freeze-log.ts'
import { startRunner } from '../tasks/run-tasks.ts'
import { readLog } from './log-key.ts'
import { transparencyLog, type TransparencyLog } from './transparency-log.ts'
import { growingLog, witnessedLog } from './grow-log.ts'
import type { WitnessPolicy } from './witness-policy.ts'

const HEAD = '0'.repeat(64)
const seconds = (): number => Math.floor(Date.now() / 1000)

onEachDatabase((database) => {
  let store: EmptyDatabase
  let db: Kysely<Database>
  let folder: string

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kitseal-cosign-'))
  })
  beforeEach(async () => {
    await store?.[Symbol.asyncDispose]()
    store = await database.create()
    db = await store.open()
  })
  after(async () => {
    await store[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  const logOptions = () => ({
    db,
    clock: systemClock,
    providers: [fileKeys({ directory: join(folder, 'keys') })] as const,
    marks: marksIn(folder),
  })

  /** A node of the service: what it knows is in the database. */
  async function node(
    policy: WitnessPolicy,
    { isRequired = false, waitMs = 10_000, intervalMs = 0, owner = 'a', authorities }: NodeOptions = {},
  ) {
    const lines: string[] = []
    const write = (_: unknown, message: string): number => lines.push(message)
    const lineLog = { info: write, warn: write, error: write }
    const log = transparencyLog({
      ...logOptions(),
      publishing: { witnesses: policy, isTimeStamped: authorities !== undefined, isRequired },
    })
    await log.ensure('issuer.example/log')
    const witnessing = cosigning({
      db,
      clock: systemClock,
      policy,
      isRequired,
      waitMs,
      firstRetryMs: 0,
      authorities,
      freeze: (reason) => freezeLog(db, reason, systemClock),
      log: lineLog,
    })
    const { stop } = witnessing
    /** As the service runs it. */
    const run = () => {
      const options = { db, clock: systemClock, log, cosigning: witnessing, intervalMs, issue: async () => 0 }
      const { kind } = growingLog({ ...options, events: lineLog })
      return startRunner({ db, clock: systemClock, owner, leaseMs: 60_000, kinds: [kind], log: lineLog })
    }
    return { ...witnessedLog(log, witnessing), log, lines, stop, run }
  }

  async function append(count = 1): Promise<void> {
    for (let left = count; left > 0; left--)
      await appendLeaf(db, {
        leaf_version: LEAF_VERSION,
        kind: 'audit',
        audit_tag: HEAD,
        count: left,
        head: HEAD,
      })
  }

  test('a checkpoint is published with the cosignatures of real witnesses', async () => {
    const origin = 'issuer.example/log'
    const key = parseVkey(await (await node(policyOf([]))).log.vkey(), nodeHost.digest)
    assert.equal(key.name, origin)
    await using witness = await startWitness([key])
    const policy = policyOf([['w', witness.url, witness.key]], 'w')
    const { extend, log, stop } = await node(policy)
    for (const size of [3, 300, 301]) {
      const { size: last } = await log.signedHead()
      await append(size - last)
      assert.equal(await extend(), size - last)
      assert.deepEqual(await publishedBy(log, policy), [[size, 'w']])
      assert.equal(parseCheckpoint(await log.checkpoint()).signatures.length, 2)
    }
    assert.equal(await readFrozen(db), undefined)
    await stop()
  })

  test('kits wait for the quorum, not for a witness that hangs, and its late cosignature is added', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await using fast = await cosigner('fast')
    await using slow = await cosigner('slow', () => released)
    const policy = policyOf([fast, slow], { threshold: 1, members: ['fast', 'slow'] })
    const { extend, log, stop } = await node(policy)
    await append()
    await extend()
    assert.deepEqual(await publishedBy(log, policy), [[1, 'fast']])
    release()
    await until(async () => (await publishedBy(log, policy))[0]?.[1] === 'fast,slow')
    await stop()
  })

  test('witnesses are asked once in an interval, and everything that waits is in the next checkpoint', async () => {
    await using witness = await cosigner('w')
    const policy = policyOf([witness], 'w')
    const { run, log, stop } = await node(policy, { intervalMs: 60_000 })
    await append()
    // The empty checkpoint of the start is as old as the interval.
    await db.deleteFrom('tasks').execute()
    const runner = run()
    await until(async () => (await db.selectFrom('tasks').selectAll().execute()).length === 1)
    await db.updateTable('tasks').set({ due_at: '2020' }).execute()
    await runner.run()
    assert.deepEqual(await publishedBy(log, policy), [[1, 'w']])
    const asked = witness.requests.length
    await append(2)
    await runner.run()
    assert.equal(witness.requests.length, asked)
    await db.updateTable('tasks').set({ due_at: '2020' }).execute()
    await runner.run()
    assert.deepEqual(await publishedBy(log, policy), [[3, 'w']])
    await runner.stop()
    await stop()
  })

  test('without a quorum, a best-effort checkpoint is published after the wait, and a required one is not', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await using fast = await cosigner('fast')
    await using slow = await cosigner('slow', () => released)
    const policy = policyOf([fast, slow], { threshold: 2, members: ['fast', 'slow'] })
    const required = await node(policy, { isRequired: true, waitMs: 50 })
    await append()
    await required.extend()
    assert.deepEqual(await publishedBy(required.log, policy), [])
    await append()
    await required.extend()
    assert.deepEqual(await publishedBy(required.log, policy), [])
    const bestEffort = await node(policy, { waitMs: 50 })
    // On a busy machine, a fast witness may take longer than the wait.
    await until(async () => {
      await required.extend()
      return (await publishedBy(bestEffort.log, policy))[0]?.[1] === 'fast'
    })
    assert.deepEqual(await publishedBy(bestEffort.log, policy), [[2, 'fast']])
    release()
    await until(async () => {
      await required.extend()
      return (await publishedBy(required.log, policy))[0]?.[0] === 2
    })
    const other = policyOf([fast, ['third', fast.url, testWitness('third').key]], 'third')
    assert.deepEqual(await (await node(other, { isRequired: true })).log.published(), [], 'another policy')
    await required.stop()
  })

  test('a witness that fails does not hold up the others, is asked again, and cosigns the newest size', async () => {
    await using good = await cosigner('good')
    await using bad = await cosigner('bad')
    const cosign = bad.behave
    bad.behave = () => ({ status: 500, body: 'out of order' })
    const policy = policyOf([good, bad])
    const { extend, log, lines, stop } = await node(policy)
    await append()
    await extend()
    await append()
    await extend()
    assert.deepEqual(await publishedBy(log, policy), [[2, 'good']])
    assert.deepEqual(lines, ['the witness bad did not cosign: it returned 500: out of order'])
    const row = await db
      .selectFrom('log_witnesses')
      .selectAll()
      .where('name', '=', 'bad')
      .executeTakeFirstOrThrow()
    assert.ok(row.failures >= 2 && row.size === 0 && row.cosigned_at === null)
    bad.behave = cosign
    await extend()
    assert.deepEqual(await publishedBy(log, policy), [[2, 'bad,good']])
    assert.equal(lines.at(-1), 'the witness bad cosigns again')
    const asked = bad.requests.length
    await extend()
    assert.equal(bad.requests.length, asked, 'nothing is new')
    await stop()
  })

  const resume = () => db.updateTable('log').set({ frozen_at: null, frozen_reason: null }).execute()

  test('a witness that has seen more freezes the log before it grows, and so does another history', async () => {
    await using witness = await cosigner('w')
    const policy = policyOf([witness])
    const first = await node(policy)
    await append(3)
    await first.extend()
    await first.stop()
    for (const [reply, reason] of [
      [
        { status: 409, type: 'text/x.tlog.size', body: '9\n' },
        /the witness w has cosigned 9 leaves .* has 3/,
      ],
      [{ status: 422 }, /the witness w has cosigned another history of this log with 3 leaves/],
      [{ status: 409 }, /the witness w has cosigned another history of this log with 3 leaves/],
    ] as const) {
      witness.requests.length = 0
      witness.behave = () => reply
      const { extend, stop } = await node(policy)
      await append()
      await assert.rejects(extend(), LogFrozen)
      assert.match((await readFrozen(db))?.reason ?? '', reason)
      assert.deepEqual(
        witness.requests.map(({ oldSize, checkpoint }) => [oldSize, checkpoint.size]),
        [[3, 3]],
        'remembered, and asked about the present size',
      )
      assert.equal((await readLog(db))?.size, 3)
      await resume()
      await assert.rejects(extend(), LogFrozen, 'asked again after it is resumed')
      assert.equal((await readLog(db))?.size, 3)
      await resume()
      await stop()
    }
  })

  test('a witness that another node has asked for a larger size is no rollback', async () => {
    await using witness = await cosigner('w')
    const policy = policyOf([witness])
    const { extend, log, stop } = await node(policy)
    await append(2)
    await extend()
    const cosign = witness.behave
    witness.behave = async (request, response) => {
      if (request.checkpoint.size !== 3) return cosign(request, response)
      await append()
      await log.sequence()
      return { status: 409, type: 'text/x.tlog.size', body: '4\n' }
    }
    await append()
    await extend()
    await extend()
    assert.equal(await readFrozen(db), undefined)
    assert.deepEqual(await publishedBy(log, policy), [[4, 'w']])
    await stop()
  })

  test('the served checkpoint never goes back, also when witnesses are added or fail', async () => {
    await using witness = await cosigner('w')
    const policy = policyOf([witness], 'w')
    const sizes: number[] = []
    const serve = async ({ log }: { readonly log: TransparencyLog }): Promise<void> =>
      void sizes.push(parseCheckpoint(await log.checkpoint()).size)
    const earlier = await node(policy)
    await append()
    await earlier.extend()
    await serve(earlier)
    await earlier.stop()
    const alone = transparencyLog({ ...logOptions(), publishing: undefined })
    await append()
    await alone.sequence()
    await serve({ log: alone })
    const later = await node(policy, { isRequired: true })
    await serve(later)
    const cosign = witness.behave
    witness.behave = () => ({ status: 500 })
    await append()
    await later.extend()
    await serve(later)
    witness.behave = cosign
    await later.extend()
    await serve(later)
    assert.deepEqual(sizes, [1, 2, 2, 2, 3])
    await later.stop()
  })

  test('one node at a time extends the log, and what one has published, the others do not ask for again', async () => {
    await using witness = await cosigner('w')
    const policy = policyOf([witness])
    const [a, b] = [await node(policy, { owner: 'a' }), await node(policy, { owner: 'b' })]
    const runners = [a.run(), b.run()]
    for (const size of [1, 2, 3]) {
      await append()
      await until(async () => {
        for (const runner of runners) await runner.run()
        return (await publishedBy(a.log, policy))[0]?.[1] === 'w' && (await readLog(db))?.size === size
      })
      assert.deepEqual(await publishedBy(b.log, policy), [[size, 'w']])
    }
    const sizes = witness.requests.map(({ checkpoint }) => checkpoint.size)
    assert.deepEqual(sizes, sizes.toSorted())
    for (const runner of runners) await runner.run()
    assert.equal(witness.requests.length, sizes.length, 'nothing is new')
    for (const runner of runners) await runner.stop()
    await a.stop()
    await b.stop()
  })

  test(
    'a checkpoint is time-stamped once, by the first authority that answers',
    { skip: noOpenssl },
    async () => {
      await using authority = await timeStampAuthority()
      await using broken = await timeStampAuthority()
      broken.answer = () => 500
      const roots = parseCertificates(readFileSync(authority.rootsFile))
      const authorities = { urls: [broken.url, authority.url], roots }
      const { extend, log, lines, stop } = await node(policyOf([]), { isRequired: true, authorities })
      await append(2)
      await extend()
      const [published] = await log.published()
      assert.ok(published?.size === 2 && published.timeStamp !== undefined)
      const stamped = parseTimeStamp(published.timeStamp)
      assert.equal((await verifyTimeStamp(stamped, utf8(published.note.text), roots, nodeHost)).is, 'trusted')
      assert.match(
        lines.join(),
        /the time-stamp authority http\S+ did not stamp the checkpoint: it returned 500$/,
      )
      const proof = await log.prover(await log.published())(1)
      assert.deepEqual(proof?.timeStamp, published.timeStamp)
      await extend()
      assert.equal(authority.requests.length, 1)
      await stop()
      const next = await node(policyOf([]), { isRequired: true, authorities })
      await next.extend()
      assert.equal(authority.requests.length, 1, 'also after a restart')
      await next.stop()
    },
  )

  test(
    'kits wait for a required time-stamp and for the quorum, and a late time-stamp is added',
    { skip: noOpenssl },
    async () => {
      await using witness = await cosigner('w')
      await using authority = await timeStampAuthority()
      authority.answer = () => 503
      const policy = policyOf([witness], 'w')
      const authorities = { urls: [authority.url], roots: undefined }
      const { extend, log, stop } = await node(policy, { isRequired: true, authorities })
      await append()
      await extend()
      assert.deepEqual(await log.published(), [])
      const bestEffort = await node(policy, { authorities })
      assert.deepEqual(
        (await bestEffort.log.published()).map(({ size, timeStamp }) => [size, timeStamp]),
        [[1, undefined]],
      )
      authority.answer = authority.stamp
      await extend()
      const [published] = await log.published()
      assert.ok(published?.timeStamp !== undefined)
      assert.deepEqual(await publishedBy(log, policy), [[1, 'w']])
      await stop()
    },
  )

  test('the database refuses another root for a stored checkpoint', async () => {
    await using witness = await cosigner('w')
    const { extend, stop } = await node(policyOf([witness]))
    await append()
    await extend()
    await stop()
    await assert.rejects(db.updateTable('log_checkpoints').set({ root: 'another' }).execute())
    await assert.rejects(db.deleteFrom('log_checkpoints').execute())
  })
})

/** The sizes of the published checkpoints, with the witnesses that cosigned each; their signatures are verified. */
async function publishedBy(log: TransparencyLog, { witnesses }: WitnessPolicy) {
  const lines = witnesses.map(({ name, key }) => `witness ${name} ${vkey(key)}\n`).join('')
  const policy = parsePolicy(utf8(`log ${await log.vkey()}\n${lines}quorum none\n`), nodeHost.digest)
  const found: (readonly [number, string])[] = []
  for (const { size, note } of await log.published()) {
    const status = await verifyCheckpoint(parseCheckpoint(noteBytes(note)), policy, nodeHost)
    assert.ok(status.is === 'signed', JSON.stringify(status))
    found.push([
      size,
      status.cosigned
        .map(({ name }) => name)
        .toSorted()
        .join(),
    ])
  }
  return found
}

interface NodeOptions {
  readonly isRequired?: boolean
  readonly intervalMs?: number
  readonly waitMs?: number
  readonly owner?: string
  readonly authorities?: TimeStampAuthorities
}

interface Cosigner extends HostileWitness {
  readonly name: string
  readonly signer: NoteSigner
}

/** A witness that cosigns everything, when `ready` resolves. */
async function cosigner(name: string, ready = async (): Promise<void> => {}): Promise<Cosigner> {
  const signer = testWitness(`${name}.example`)
  const witness = await hostileWitness(async ({ checkpoint }) => {
    await ready()
    return { body: signatureLine(signer.cosign(checkpoint.text, seconds())) }
  })
  return Object.assign(witness, { name, signer })
}

type Member = Cosigner | readonly [name: string, url: string, key: NoteSigner['key']]

function policyOf(members: readonly Member[], quorum?: Quorum): WitnessPolicy {
  const witnesses = members.map((member) => {
    const [name, url, key] = 'signer' in member ? [member.name, member.url, member.signer.key] : member
    return { name, url, key }
  })
  const endpoints = witnesses.map(({ url, ...witness }) => ({ url, witnesses: [witness] }))
  return { witnesses, quorum, endpoints, lines: '' }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10))
}
