import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { onEachDatabase } from '../../test/each-database.ts'
import { until } from '../../../test/kit/until.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import {
  claimDelivery,
  enqueue,
  forgetDeliveries,
  type Outcome,
  releaseDeliveriesOf,
  settleDelivery,
} from './deliveries.ts'
import { registerDeliveryMetrics } from './delivery-metrics.ts'
import { type Channel, startDeliveries } from './start-deliveries.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000
const quiet = { warn: () => {}, error: () => {} }

const mail = (dedupe: string) => ({ channel: 'mail', dedupe, workspaceId: null, payload: { dedupe } })
const rows = (db: Db) => db.selectFrom('deliveries').selectAll().orderBy('dedupe').execute()

function testChannel(deliver: Channel['deliver'], more: Partial<Channel> = {}): Channel {
  return {
    name: 'mail',
    concurrency: 4,
    deliver,
    delayMs: ({ attempt }) => (attempt < 3 ? 1000 : undefined),
    ...more,
  }
}

onEachDatabase((database) => {
  test('a delivery is enqueued with the change that causes it, and once', async () => {
    await using store = await database.create()
    const db = await store.open()
    const clock = { now: () => START }
    await assert.rejects(
      transact(db, async (trx) => {
        await enqueue(trx, clock, mail('a'))
        throw new Error('the change failed')
      }),
    )
    assert.deepEqual(await rows(db), [])
    const added = await transact(db, async (trx) => [
      await enqueue(trx, clock, mail('a')),
      await enqueue(trx, clock, mail('a')),
      await enqueue(trx, clock, { ...mail('a'), channel: 'other' }),
    ])
    assert.deepEqual(added, [true, false, true])
  })

  test('several nodes deliver each message once', async () => {
    await using store = await database.create()
    const db = await store.open()
    // SQLite has one node.
    const other = database.name === 'SQLite' ? db : await store.open()
    const clock = { now: () => START }
    for (let index = 0; index < 30; index += 1) await enqueue(db, clock, mail(`${index}`))
    const seen: string[] = []
    const channel = testChannel(async ({ payload }): Promise<Outcome> => {
      seen.push((payload as { dedupe: string }).dedupe)
      return { is: 'sent' }
    })
    const nodes = [db, other].map((each, index) =>
      startDeliveries({ db: each, clock, owner: `node ${index}`, channels: [channel], log: quiet }),
    )
    await until(async () => (await rows(db)).every(({ state }) => state === 'sent'))
    for (const node of nodes) await node.stop()
    assert.equal(seen.length, 30)
    assert.equal(new Set(seen).size, 30)
    assert.ok((await rows(db)).every(({ payload, lease_owner }) => payload === null && lease_owner === null))
  })

  test('a delivery of a node that was killed is taken over, and its late result changes nothing', async () => {
    await using store = await database.create()
    const db = await store.open()
    let now = START
    const leases = { db, clock: { now: () => now }, owner: 'killed', leaseMs: 1000 }
    await enqueue(db, leases.clock, mail('a'))
    const first = await claimDelivery(leases, 'mail', false)
    assert.ok(first !== undefined)
    assert.equal(await claimDelivery({ ...leases, owner: 'next' }, 'mail', false), undefined)
    now += 1000
    const second = await claimDelivery({ ...leases, owner: 'next' }, 'mail', false)
    assert.ok(second !== undefined)
    assert.deepEqual([second.deliveryId, second.attempt], [first.deliveryId, 2])
    assert.equal(await settleDelivery(db, first, { is: 'failed', problem: 'late' }, 'x'), false)
    await releaseDeliveriesOf(db, (owner) => owner === 'next')
    assert.equal(await settleDelivery(db, second, { is: 'sent' }, 'x'), false)
    const third = await claimDelivery(leases, 'mail', false)
    assert.ok(third !== undefined)
    assert.equal(await settleDelivery(db, third, { is: 'sent' }, new Date(now).toISOString()), true)
    assert.equal(
      await claimDelivery({ ...leases, clock: { now: () => now + DAY_MS } }, 'mail', false),
      undefined,
    )
  })

  test('a failure is retried later, then given up, counted and at last removed', async () => {
    await using store = await database.create()
    const db = await store.open()
    let now = START
    const clock = { now: () => now }
    const failures: string[] = []
    const attempts: number[] = []
    const channel = testChannel(
      async ({ attempt }) => {
        attempts.push(attempt)
        if (attempt === 1) throw new Error('broken')
        return { is: 'retry', problem: 'busy' }
      },
      { failed: async (_trx, _delivery, problem) => void failures.push(problem) },
    )
    await enqueue(db, clock, mail('a'))
    const running = startDeliveries({ db, clock, owner: 'node', channels: [channel], log: quiet })
    const settled = async (problem: string) =>
      until(async () => {
        const [row] = await rows(db)
        return row?.problem === problem && row.lease_owner === null
      })
    await settled('broken')
    running.wake()
    now += 999
    running.wake()
    assert.deepEqual(attempts, [1])
    now += 1
    running.wake()
    await settled('busy')
    const registry = new Registry()
    registerDeliveryMetrics(registry, db, clock)
    now += 5000
    assert.match(await registry.metrics(), /deliveries_failing\{channel="mail"\} 1\n/)
    running.wake()
    await until(async () => (await rows(db))[0]?.state === 'failed')
    await running.stop()
    assert.deepEqual([attempts, failures], [[1, 2, 3], ['busy']])
    const text = await registry.metrics()
    assert.match(text, /deliveries_failed\{channel="mail"\} 1\n/)
    assert.match(text, /deliveries_pending\{channel="mail"\} 0\n/)
    await forgetDeliveries(db, clock)
    assert.equal((await rows(db)).length, 1)
    now += 91 * DAY_MS
    await forgetDeliveries(db, clock)
    assert.deepEqual(await rows(db), [])
  })

  test('deliveries that failed before leave half of the slots to others', async () => {
    await using store = await database.create()
    const db = await store.open()
    const clock = { now: () => START }
    for (let index = 0; index < 8; index += 1) await enqueue(db, clock, mail(`hangs ${index}`))
    await db.updateTable('deliveries').set({ attempts: 1 }).execute()
    for (let index = 0; index < 8; index += 1) await enqueue(db, clock, mail(`new ${index}`))
    const hang = Promise.withResolvers<void>()
    let hanging = 0
    const channel = testChannel(async ({ payload }): Promise<Outcome> => {
      if (!(payload as { dedupe: string }).dedupe.startsWith('hangs')) return { is: 'sent' }
      hanging += 1
      await hang.promise
      return { is: 'sent' }
    })
    const running = startDeliveries({ db, clock, owner: 'node', channels: [channel], log: quiet })
    const sent = async () => (await rows(db)).filter(({ state }) => state === 'sent').length
    await until(async () => (await sent()) === 8)
    assert.equal(hanging, 2)
    hang.resolve()
    await until(async () => (await sent()) === 16)
    await running.stop()
  })
})
