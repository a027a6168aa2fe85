import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { until } from '../../../test/kit/until.ts'
import { type EmptyDatabase, onEachDatabase } from '../../test/each-database.ts'
import { setLocalTasks } from '../database/queued-tasks.ts'
import type { Database, Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { timestamp } from '../runtime/clock.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { type Kind, recurring, startRunner } from './run-tasks.ts'
import {
  claimTasks,
  dueTasks,
  finishTask,
  queueTask,
  releaseTasksOf,
  removeTask,
  renewTasks,
  type Task,
} from './tasks.ts'

const LEASE_MS = 30_000
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time }
let db: Kysely<Database>

onEachDatabase((database) => {
  let store: EmptyDatabase
  before(async () => {
    store = await database.create()
    db = await store.open()
  })
  beforeEach(async () => {
    clock.time += 1000
    await db.deleteFrom('tasks').execute()
  })
  after(() => store[Symbol.asyncDispose]())

  test('workspaces take turns: many tasks of one do not delay those of another', async () => {
    for (const key of ['a1', 'a2', 'a3', 'b1', 'n1']) await queue(key)
    const claim = claimTasks(holder('me'), 'try')
    const order: string[] = []
    let turn = ''
    for (let count = 0; count < 5; count += 1) {
      const [task] = await claim(turn, 1)
      assert.ok(task !== undefined)
      turn = task.workspace_id ?? ''
      order.push(task.key)
    }
    assert.deepEqual(order, ['a1', 'b1', 'n1', 'a2', 'a3'])
    assert.deepEqual(await claim(turn, 1), [])
  })

  test('several of one workspace are claimed together, the oldest first', async () => {
    for (const key of ['a1', 'a2', 'a3', 'b1']) await queue(key)
    const claim = claimTasks(holder('me'), 'try')
    assert.deepEqual(keysOf(await claim('', 2)), ['a1', 'a2'])
    assert.deepEqual(keysOf(await claim('ws_a', 2)), ['b1'])
  })

  test('a task is not claimed before it is due, nor while another process holds it', async () => {
    await queue('later', clock.now() + 5000)
    const [mine, other] = [claimTasks(holder('me'), 'try'), claimTasks(holder('other'), 'try')]
    assert.deepEqual(await mine('', 1), [])
    clock.time += 5000
    assert.deepEqual(keysOf(await mine('', 1)), ['later'])
    clock.time += LEASE_MS - 1
    assert.deepEqual(await other('', 1), [])
    await renewTasks(holder('me'), [{ key: 'later' }])
    clock.time += LEASE_MS - 1
    assert.deepEqual(await other('', 1), [], 'it was renewed')
    clock.time += 1
    assert.deepEqual(keysOf(await other('', 1)), ['later'])
  })

  test('what was queued twice is done once, at the earlier time, and what was removed is not done', async () => {
    await queue('twice', clock.now() + 5000)
    await queue('twice')
    await queue('removed')
    await removeTask(db, 'try', 'removed')
    assert.deepEqual(keysOf(await claimTasks(holder('me'), 'try')('', 8)), ['twice'])
  })

  test('tasks of a process that ended are free at once; one that saw several end waits longer each time', async () => {
    await queue('a1')
    const delays: number[] = []
    let first: Task | undefined
    for (let end = 0; end < 5; end += 1) {
      const [task] = await claimTasks(holder('gone'), 'try')('', 1)
      assert.ok(task !== undefined)
      first ??= task
      assert.equal(await releaseTasksOf(holder('me'), (owner) => owner === 'other'), 0)
      assert.equal(await releaseTasksOf(holder('me'), (owner) => owner === 'gone'), 1)
      const { due_at } = await db.selectFrom('tasks').select('due_at').executeTakeFirstOrThrow()
      delays.push(Math.max(0, Date.parse(due_at) - clock.now()))
      clock.time += delays.at(-1) ?? 0
    }
    assert.deepEqual(delays, [0, 0, 8000, 32_000, 128_000])
    assert.equal(await finishTask(db, first!), false, 'it was lost')
  })

  for (const previous of ['', 'ws_a'])
    test(`a claim uses the index and does not sort, ${previous === '' ? 'for the first workspace' : 'for the next one'}`, async () => {
      const plan = await db.connection().execute(async (connection) => {
        // PostgreSQL would scan such a small table.
        if (database.name === 'PostgreSQL') await sql`set enable_seqscan = off`.execute(connection)
        const now = timestamp(clock.now())
        const { sql: text, parameters } = dueTasks(connection, 'try', now, previous, 8).compile()
        const explain = database.name === 'SQLite' ? 'explain query plan' : 'explain'
        const query = CompiledQuery.raw(`${explain} ${text}`, [...parameters])
        return JSON.stringify((await connection.executeQuery(query)).rows)
      })
      assert.match(plan, /using index tasks_in_turn|Index (Only )?Scan using tasks_in_turn/i)
      assert.doesNotMatch(plan, /TEMP B-TREE|Sort/)
    })

  test('the runner does what is due, so many at once, and stops when those have ended', async () => {
    const [started, ended]: string[][] = [[], []]
    const mayEnd = Promise.withResolvers<void>()
    const runner = startRunner({
      ...holder('me'),
      kinds: [
        kind(2, async ({ key }) => {
          started!.push(key)
          await mayEnd.promise
          ended!.push(key)
          return { is: 'done' }
        }),
      ],
      log: { error: assert.fail },
    })
    for (const key of ['a1', 'a2', 'a3']) await queue(key)
    runner.wake('try')
    await until(() => started!.length === 2)
    const stopped = runner.stop()
    mayEnd.resolve()
    await stopped
    assert.equal(ended!.length, 2)
    assert.equal((await db.selectFrom('tasks').select('key').execute()).length, 1, 'the others wait')
  })

  test('a task that frees its place lets the next one begin, and one that fails is tried later', async () => {
    const seen: string[] = []
    const both = Promise.withResolvers<void>()
    const logged: string[] = []
    const runner = startRunner({
      ...holder('me'),
      kinds: [
        kind(1, async ({ key, attempts }, free) => {
          seen.push(key)
          free()
          if (seen.length === 2) both.resolve()
          await both.promise
          return key === 'a2'
            ? { is: 'done' }
            : { is: 'again', fault: 'task', delayMs: 5000 * (attempts + 1) }
        }),
      ],
      log: { error: (_fields, message) => void logged.push(message) },
    })
    for (const key of ['a1', 'a2']) await queue(key)
    runner.wake('try')
    await both.promise
    await until(async () => (await db.selectFrom('tasks').select('key').execute()).length === 1)
    await runner.stop()
    const row = await db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow()
    const { key, attempts, claims, owner, due_at } = row
    assert.deepEqual([key, attempts, claims, owner], ['a1', 1, 0, null])
    assert.equal(due_at, timestamp(clock.now() + 5000))
    assert.deepEqual(logged, [])
    assert.ok(runner.healthy())
  })

  test('tasks that failed before leave places to others, and those of one transaction begin after its commit', async () => {
    for (const key of ['a1', 'a2', 'a3', 'a4']) await queue(key)
    await db.updateTable('tasks').set({ attempts: 1 }).execute()
    const [hang, seen]: [PromiseWithResolvers<void>, string[]] = [Promise.withResolvers<void>(), []]
    const runner = startRunner({
      ...holder('me'),
      kinds: [
        {
          ...kind(4, async ({ key, attempts }) => {
            seen.push(key)
            if (attempts > 0) await hang.promise
            return { is: 'done' }
          }),
          retries: 2,
        },
      ],
      log: { error: assert.fail },
    })
    setLocalTasks(db, { queued: (kinds) => kinds.forEach(runner.wake), place: runner.place })
    await until(() => seen.length === 2)
    await transact(db, async (trx) => {
      await queue('b1', clock.now(), trx)
      await queue('b2', clock.now(), trx)
    })
    await until(() => seen.length === 4)
    assert.deepEqual(seen.slice(2).toSorted(), ['b1', 'b2'])
    hang.resolve()
    await until(() => seen.length === 6)
    await runner.stop()
    setLocalTasks(db, { queued: () => {}, place: () => undefined })
  })

  test('a task is claimed by the statement that queues it while the node is free, and begins after the commit', async () => {
    const [seen, hang] = [new Array<string>(), Promise.withResolvers<void>()]
    const one = kind(1, async ({ key }) => {
      seen.push(key)
      await hang.promise
      return { is: 'done' }
    })
    const runner = startRunner({
      ...holder('me'),
      kinds: [{ ...one, beginsAtOnce: true }],
      log: { error: assert.fail },
    })
    await runner.run()
    setLocalTasks(db, { queued: (kinds) => kinds.forEach(runner.wake), place: runner.place })
    const heldBy = async (key: string) =>
      (await db.selectFrom('tasks').select('owner').where('key', '=', key).executeTakeFirst())?.owner
    const failing = transact(db, async (trx) => {
      await queue('gone', clock.now(), trx)
      throw new Error('rolled back')
    })
    await assert.rejects(failing, /rolled back/)
    await runner.run()
    assert.deepEqual(seen, [])
    await transact(db, async (trx) => {
      await queue('first', clock.now(), trx)
      assert.deepEqual(seen, [], 'not before the commit')
    })
    assert.deepEqual([seen, await heldBy('first')], [['first'], 'me'])
    await transact(db, (trx) => queue('second', clock.now(), trx))
    assert.equal(await heldBy('second'), null, 'there was no place')
    hang.resolve()
    await until(() => seen.length === 2)
    await runner.stop()
    setLocalTasks(db, { queued: () => {}, place: () => undefined })
    assert.deepEqual(await db.selectFrom('tasks').select('key').execute(), [])
  })

  test('what recurs is one task, on one node at a time, and is due again after its time, however often a node starts', async () => {
    let done = 0
    const kinds = [recurring('often', 60_000, async () => void (done += 1))]
    const start = (owner: string) => startRunner({ ...holder(owner), kinds, log: { error: assert.fail } })
    for (const owner of ['one', 'two']) {
      const runner = start(owner)
      await runner.run()
      assert.equal(done, 1)
      await runner.stop()
    }
    clock.time += 60_000
    const both = [start('one'), start('two')]
    await Promise.all(both.map((runner) => runner.run()))
    assert.equal(done, 2)
    await Promise.all(both.map((runner) => runner.stop()))
  })

  test('what takes long is told to stop, and goes on where another node finds it', async () => {
    const began = Promise.withResolvers<void>()
    const long = (name: string): Kind =>
      recurring(name, 60_000, async (stopping) => {
        began.resolve()
        await new Promise((resolve) => stopping.addEventListener('abort', resolve))
        return { is: 'again', fault: 'none', delayMs: 0 }
      })
    const runner = startRunner({ ...holder('me'), kinds: [long('long')], log: { error: assert.fail } })
    const run = runner.run()
    await began.promise
    await runner.stop()
    await run
    assert.deepEqual(keysOf(await claimTasks(holder('other'), 'long')('', 1)), [''])
  })

  test('a task that throws is tried again, without being counted', async () => {
    const logged: string[] = []
    const broken = recurring('broken', 60_000, () => Promise.reject(new Error('no')))
    const log = { error: (_fields: object, message: string) => void logged.push(message) }
    const runner = startRunner({ ...holder('me'), kinds: [broken], log })
    await runner.run()
    assert.ok(runner.healthy(), 'it is not vital')
    await runner.stop()
    const { attempts, due_at } = await db.selectFrom('tasks').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([attempts, due_at, logged], [0, timestamp(clock.now() + 30_000), ['a task failed']])
  })

  test('a runner whose tasks fail because of the environment is not healthy until one succeeds', async () => {
    let isBroken = true
    const runner = startRunner({
      ...holder('me'),
      kinds: [
        kind(1, async () => (isBroken ? { is: 'again', fault: 'environment', delayMs: 0 } : { is: 'done' })),
      ],
      log: { error: assert.fail },
    })
    await queue('a1')
    runner.wake('try')
    await until(() => !runner.healthy())
    isBroken = false
    await until(() => runner.healthy())
    await runner.stop()
  })
})

const holder = (owner: string) => ({ db, clock, owner, leaseMs: LEASE_MS })
const kind = (concurrency: number, run: Kind['run']): Kind => ({
  name: 'try',
  concurrency,
  isVital: true,
  run,
})
const keysOf = (tasks: readonly Task[]): readonly string[] => tasks.map(({ key }) => key)

/** The first letter names the workspace; n is none. */
async function queue(key: string, dueAt = clock.now(), trx: Db = db): Promise<void> {
  clock.time += dueAt === clock.now() ? 1 : 0
  const workspaceId = /^[ab]\d/.test(key) ? (`ws_${key[0]}` as WorkspaceId) : null
  await queueTask(trx, { kind: 'try', key, workspaceId, dueAt: timestamp(dueAt) })
}
