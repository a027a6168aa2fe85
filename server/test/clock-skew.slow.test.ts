import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { databaseClock, type NodeClock, systemNodeClock } from '../src/database/database-clock.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { openStore, type Store } from '../src/open-store.ts'
import { SEAL } from '../src/submissions/statuses.ts'
import { claimTasks, type Task } from '../src/tasks/tasks.ts'
import { newDatabase, type RunningPostgres, sharedPostgres } from '../../test/kit/postgres.ts'
import { issuedKit, type TestService, testService } from '../../test/kit/service.ts'
import { until } from '../../test/kit/until.ts'

const HOUR_MS = 3_600_000
const LEASE_MS = 300

/** A machine whose clock can be set. Like every machine, its monotonic clock does not jump. */
function machine(aheadMs: number): NodeClock & { aheadMs: number } {
  const node = { aheadMs, now: () => Date.now() + node.aheadMs, monotonic: () => performance.now() }
  return node
}

let server: RunningPostgres
before(async () => {
  server = await sharedPostgres()
})
after(() => server[Symbol.asyncDispose]())

async function onPostgres(nodeClock: NodeClock, settings = {}): Promise<TestService> {
  const url = await newDatabase(server.url)
  return testService({ KITSEAL_DATABASE_URL: url, ...settings }, undefined, { nodeClock })
}

/** Milliseconds between a time of a record and now. Both clocks are the same here: the server runs on this machine. */
const ageMs = (time: unknown): number => Date.now() - Date.parse(String(time))

async function timesOf(service: TestService, { jobId, kitId }: { jobId: string; kitId: string }) {
  const job = (await service.call(`/v1/intake/jobs/${jobId}`)).json
  const kit = (await service.call(`/v1/kits/${kitId}/manifest`)).json
  return {
    created: String(job['created_at']),
    issued: String(kit['issued_at']),
    updated: String(job['updated_at']),
  }
}

test('a node whose clock is two hours ahead issues kits at the right time, and is not ready', async () => {
  await using service = await onPostgres(machine(2 * HOUR_MS))
  const times = await timesOf(service, await service.issue())
  for (const time of Object.values(times)) {
    assert.ok(Math.abs(ageMs(time)) < HOUR_MS, `${time} is not now`)
  }
  assert.ok(times.created <= times.issued && times.issued <= times.updated)
  const ready = await service.call('/readyz')
  assert.equal(ready.status, 503)
  assert.match(
    String(ready.json['message']),
    /^Not ready: clock \(the clock of this machine is 7\d{3} s ahead of the database's\)\.$/,
  )
  const metrics = await service.metrics()
  assert.match(metrics, /^kitseal_clock_skew_seconds 7(1[5-9]|20)\d{1,2}(\.\d+)?$/m)
})

test('a clock that jumps changes no time, and the node is ready again once it is right', async () => {
  const node = machine(0)
  await using service = await onPostgres(node)
  const isReady = async (): Promise<boolean> => (await service.call('/readyz')).status === 200
  assert.ok(await isReady())
  for (const jump of [2 * HOUR_MS, -2 * HOUR_MS]) {
    node.aheadMs = jump
    const { created, issued, updated } = await timesOf(service, await service.issue())
    assert.ok(created <= issued && issued <= updated)
    assert.ok(Math.abs(ageMs(issued)) < HOUR_MS)
    await until(async () => !(await isReady()))
  }
  node.aheadMs = 0
  await until(isReady)
})

test('a small difference between the clocks does not matter', async () => {
  await using service = await onPostgres(machine(-25_000))
  assert.equal((await service.call('/readyz')).status, 200)
})

const claim = async ({ db, clock }: Store, owner: string): Promise<Task | undefined> =>
  (await claimTasks({ db, clock, owner, leaseMs: LEASE_MS }, SEAL)('', 1))[0]

test('a lease ends when it is over, whatever the clock of the node that took it shows', async () => {
  // An API node, so that nobody works on the job.
  await using service = await onPostgres(systemNodeClock, { KITSEAL_ROLE: 'api' })
  const created = await service.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'a' })
  assert.equal(created.status, 202)
  await using ahead = await openStore(service.config, { nodeClock: machine(2 * HOUR_MS) })
  await using other = await openStore(service.config)
  const first = await claim(ahead, 'ahead')
  const ends = Date.parse(first?.held_until ?? '')
  assert.ok(ends - Date.now() < HOUR_MS, 'the lease does not end in two hours')
  let taken: Task | undefined
  await until(async () => (taken = await claim(other, 'other')) !== undefined)
  assert.ok(Date.now() >= ends - 5000, 'not before it is over')
  assert.equal(taken?.key, first?.key)
})

test('a kit is not issued before its job was created: the job waits, and the log says why', async () => {
  const clock = { time: Date.now() + HOUR_MS, now: () => clock.time }
  await using front = await testService({ KITSEAL_ROLE: 'api' }, clock)
  const created = await front.post('/v1/intake/jobs', { tenant_id: 'acme', scope_label: 'an hour ahead' })
  clock.time -= HOUR_MS - 1000
  const settings = { KITSEAL_DATA: front.dataFolder, KITSEAL_ROLE: 'worker', TEST_MAX_ATTEMPTS: '1' }
  await using work = await testService(settings, clock)
  await until(() => /"name":"ImplausibleTime"|ImplausibleTime: .*check the clocks/.test(work.log()))
  const jobId = String(created.json['job_id'])
  assert.equal((await front.call(`/v1/intake/jobs/${jobId}`)).json['status'], 'SUBMITTED')
  clock.time += HOUR_MS
  const times = await timesOf(front, { jobId, kitId: await issuedKit(front.call, jobId) })
  assert.ok(times.created <= times.issued)
})

test('without a shared database, the clock of the machine counts, and is compared with that of the file system', async () => {
  await using right = await testService({}, undefined, { nodeClock: machine(0) })
  assert.equal((await right.call('/readyz')).status, 200)
  await using service = await testService({}, undefined, { nodeClock: machine(2 * HOUR_MS) })
  assert.match(
    String((await service.call('/readyz')).json['message']),
    /^Not ready: clock \(the clock of this machine is 7\d{3} s ahead of the file server's\)\.$/,
  )
  const { jobId } = await service.issue()
  assert.ok(ageMs((await service.call(`/v1/intake/jobs/${jobId}`)).json['created_at']) < -HOUR_MS)
})

test('time never goes back by a little, and follows the database by more', async () => {
  const db = await openPostgres({ url: await newDatabase(server.url), connections: 1 })
  const node = { behindMs: 0, now: () => 0, monotonic: () => performance.now() - node.behindMs }
  using clock = await databaseClock(db, node)
  const first = clock.now()
  // As if the database's clock had been set back: everything that the node measures is later.
  node.behindMs = 2000
  assert.ok(clock.now() >= first, 'held')
  node.behindMs = HOUR_MS
  assert.ok(clock.now() < first, 'not held for an hour')
  await clock.sync()
  assert.ok(clock.now() > first - 5000, 'and right again after asking')
  await db.destroy()
})

test('signatures within a second share one question to the database, unless the machine was suspended meanwhile', async () => {
  const asked: string[] = []
  const onStatement = (text: string): void => void (/clock_timestamp/.test(text) && asked.push(text))
  const db = await openPostgres({ url: await newDatabase(server.url), connections: 1, onStatement })
  const node = { timeMs: 0, aheadMs: 0, now: () => node.timeMs + node.aheadMs, monotonic: () => node.timeMs }
  using clock = await databaseClock(db, node)
  assert.equal(asked.length, 1)
  node.timeMs += 900
  await clock.sync()
  assert.equal(asked.length, 1, 'a fresh answer is used again')
  node.timeMs += 200
  await clock.sync()
  assert.equal(asked.length, 2, 'an old one is not')
  // Only the clock that shows the time goes on while a machine is suspended.
  node.aheadMs += 60_000
  await clock.sync()
  assert.equal(asked.length, 3)
  await db.destroy()
})
