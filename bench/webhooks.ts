import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock, timestamp } from '../server/src/runtime/clock.ts'
import { startDeliveries } from '../server/src/deliveries/start-deliveries.ts'
import { readFeed } from '../server/src/audit/read-feed.ts'
import { randomIdentifiers, type WebhookId, type WorkspaceId } from '../server/src/runtime/identifiers.ts'
import { mailOff } from '../server/src/deliveries/mail.ts'
import { allowedAddresses } from '../server/src/deliveries/allowed-addresses.ts'
import { postWebhooks } from '../server/src/deliveries/post-webhook.ts'
import { queueWebhook, webhookChannel } from '../server/src/deliveries/webhook-channel.ts'
import { secretsAtRest } from '../server/src/keys/secrets-at-rest.ts'
import { webhookKey } from '../server/src/deliveries/webhook-key.ts'
import { sealed } from '../server/src/database/table.ts'
import { Units } from '../server/src/database/unit.ts'
import { recordInUnit } from '../server/src/audit/audit-trail.ts'
import { makeWebhookSecret } from '../server/src/deliveries/sign-webhook.ts'
import { webhooks } from '../server/src/deliveries/webhooks.ts'
import { sendBare } from './webhooks/bare-sender.ts'
import { benchEvents, type BenchEvents, OPERATOR } from './webhooks/bench-events.ts'
import { type Receiver, receiver } from './webhooks/receiver.ts'
import { median, reportFact, reportFigure } from './report.ts'

/** `npm run bench:webhooks [-- rate|flaky|faults|events]`: webhooks and the feed of events, on SQLite. */
const RATE = { receivers: 10, events: 1000, rounds: 5 }
const FAULTS = { receivers: 10, events: 5000, wanted: 10_000, rate: 0.2, timeoutMs: 30 }
const FEED = { small: 1000, large: 1_000_000, page: 100, reads: 500, rounds: 9 }
const identifiers = randomIdentifiers()
/** As long as the service waits between two looks at the queue, at most. */
const STEP_MS = 5000

/** Messages per second to several receivers, each in order, against a sender that stores nothing. */
async function rate(): Promise<void> {
  await using bench = await benchEvents(systemClock)
  await using receivers = await receiver()
  const sender = await senderOf(bench, systemClock)
  const workspaceId = await bench.workspace(RATE.events)
  const ids = await createWebhooks(bench, sender, workspaceId, receivers.url, RATE.receivers)
  const urls = ids.map((_, path) => `${receivers.url}/${path}`)
  const [ours, theirs] = [Array.of<number>(), Array.of<number>()]
  for (let round = 0; round < RATE.rounds; round++) {
    ours.push(await deliveryRate({ bench, receivers, sender, workspaceId, ids }, 0))
    const newest = await newestOf(bench, workspaceId)
    const bodies = (await readFeed(bench.db, workspaceId, 0, newest)).map((event) => JSON.stringify(event))
    await receivers.reset(RATE.receivers, 0)
    const begun = performance.now()
    await sendBare(urls, bodies)
    theirs.push((urls.length * newest * 1000) / (performance.now() - begun))
  }
  const [fastest, bare] = [Math.max(...ours), Math.max(...theirs)]
  reportFigure({
    what: `webhooks to ${RATE.receivers} receivers, in order, recorded in SQLite, one node`,
    against: 'a bare sender of the same messages with both signatures, which stores nothing',
    ours: `${fastest.toFixed(0)}/s`,
    theirs: `${bare.toFixed(0)}/s`,
    ratio: fastest / bare,
    goal: { least: 0.5 },
  })
}

interface RateOf {
  readonly bench: BenchEvents
  readonly receivers: Receiver
  readonly sender: Sender
  readonly workspaceId: WorkspaceId
  readonly ids: readonly WebhookId[]
}

/** Sends all events again. Returns messages per second. */
async function deliveryRate(of: RateOf, faultRate: number): Promise<number> {
  const { bench, receivers, sender, workspaceId, ids } = of
  for (const id of ids) await moveBack(sender, workspaceId, id)
  await receivers.reset(ids.length, faultRate, 1)
  const messages = ids.length * (await newestOf(bench, workspaceId))
  const started = performance.now()
  const running = startDeliveries({ ...sender, owner: 'bench', channels: [channelOf(sender)], log: quiet })
  while ((await receivers.arrivals()).accepted < messages) await sleep(5)
  const elapsedMs = performance.now() - started
  await running.stop()
  const { outOfOrder, repeated } = await receivers.arrivals()
  if (outOfOrder + repeated > 0) throw new Error(`${outOfOrder} out of order, ${repeated} repeated`)
  return (messages * 1000) / elapsedMs
}

/** Receivers that answer one message in ten with 500. */
async function flaky(): Promise<void> {
  await using bench = await benchEvents(systemClock)
  await using receivers = await receiver()
  const sender = await senderOf(bench, systemClock)
  const workspaceId = await bench.workspace(RATE.events)
  const ids = await createWebhooks(bench, sender, workspaceId, receivers.url, RATE.receivers)
  const rates = { faulty: Array.of<number>(), sound: Array.of<number>() }
  for (let round = 0; round < RATE.rounds; round++) {
    rates.sound.push(await deliveryRate({ bench, receivers, sender, workspaceId, ids }, 0))
    rates.faulty.push(await deliveryRate({ bench, receivers, sender, workspaceId, ids }, 0.1))
  }
  const [faulty, sound] = [median(rates.faulty), median(rates.sound)]
  reportFigure({
    what: `webhooks to ${RATE.receivers} receivers that fail one time in ten, in order`,
    against: 'the same without failures',
    ours: `${faulty.toFixed(0)}/s`,
    theirs: `${sound.toFixed(0)}/s`,
    ratio: faulty / sound,
    goal: { least: 0.5 },
  })
}

/** Receivers that fail, hang, redirect, hang up and lose answers, and a sender that dies before it saves. */
async function faults(): Promise<void> {
  let now = Date.parse('2026-01-01T00:00:00Z')
  let deaths = 0
  const clock = { now: () => now }
  /** Of the sender: dies once in a while, with what it has not saved. */
  const frail = {
    now: () => {
      if (Math.random() < 0.002) {
        deaths += 1
        throw new Error('the sender died')
      }
      return now
    },
  }
  await using bench = await benchEvents(clock)
  await using receivers = await receiver()
  const sender = await senderOf(bench, clock, FAULTS.timeoutMs)
  const workspaceId = await bench.workspace(FAULTS.events)
  const ids = await createWebhooks(bench, sender, workspaceId, receivers.url, FAULTS.receivers)
  for (const id of ids) await moveBack(sender, workspaceId, id)
  await receivers.reset(FAULTS.receivers, FAULTS.rate)
  const channel = channelOf({ ...sender, clock: frail })
  const running = startDeliveries({ ...sender, owner: 'bench', channels: [channel], log: quiet })
  const newest = await newestOf(bench, workspaceId)
  for (;;) {
    const { rows, isBusy } = await queue(bench)
    const { newest: reached } = await receivers.arrivals()
    if (reached.every((seq) => seq >= newest) && !isBusy) break
    // Time passes only while every webhook waits, so that no lease expires.
    if (!isBusy && rows.some(({ due_at }) => due_at > timestamp(now))) now += STEP_MS
    running.wake()
    await sleep(isBusy ? 5 : 1)
  }
  await running.stop()
  const arrived = await receivers.arrivals()
  const lost = arrived.newest.reduce((sum, seq) => sum + newest - seq, 0) + arrived.outOfOrder
  reportFact('messages', `${arrived.accepted}, of which ${arrived.repeated} were repetitions`)
  reportFact('injected faults', `${arrived.faults} of receivers, ${deaths} of the sender`)
  reportFigure({
    what: `webhooks lost or out of order over at least ${FAULTS.wanted} injected faults`,
    against: 'none',
    ours: `${lost} after ${arrived.faults + deaths} faults`,
    theirs: '0',
    ratio: arrived.faults + deaths < FAULTS.wanted ? Number.NaN : lost,
    goal: { most: 0 },
  })
}

/** One page of the feed, from a random place. */
async function events(): Promise<void> {
  await using bench = await benchEvents(systemClock)
  const sizes = [FEED.small, FEED.large]
  const own = [await bench.workspace(FEED.small), await bench.workspace(FEED.large)]
  const times = sizes.map(() => Array.of<number>())
  for (let round = 0; round < FEED.rounds; round++)
    for (const [index, size] of sizes.entries()) {
      const started = process.cpuUsage()
      for (let read = 0; read < FEED.reads; read++) {
        const after = Math.floor(Math.random() * (size - FEED.page))
        await readFeed(bench.db, own[index] as WorkspaceId, after, FEED.page)
      }
      const { user, system } = process.cpuUsage(started)
      times[index]?.push((user + system) / 1000 / FEED.reads)
    }
  const [small = 0, large = 0] = times.map((each) => median(each))
  reportFigure({
    what: `a page of ${FEED.page} events with ${FEED.large.toLocaleString('en')} events stored, processor time`,
    against: `the same with ${FEED.small.toLocaleString('en')}`,
    ours: `${large.toFixed(3)} ms`,
    theirs: `${small.toFixed(3)} ms`,
    ratio: large / small,
    goal: { most: 1.2 },
  })
}

const secrets = secretsAtRest(undefined)
type Sender = Awaited<ReturnType<typeof senderOf>>

async function senderOf({ db, keys }: BenchEvents, clock: typeof systemClock, timeoutMs = 15_000) {
  const allowed = allowedAddresses(['127.0.0.1'])
  const post = postWebhooks({ allowed, timeoutMs })
  const foundation = { db, clock, cipher: secrets, id: identifiers.id, record: recordInUnit }
  const units = new Units({ ...foundation, queue: async () => {} })
  return { db, units, clock, key: webhookKey(db, [keys], clock), post }
}

const channelOf = (sender: Sender) => webhookChannel({ ...sender, mail: mailOff })

const quiet = { warn: () => {}, error: () => {} }

const createWebhooks = (
  _: BenchEvents,
  { units, clock }: Sender,
  workspaceId: WorkspaceId,
  url: string,
  count: number,
): Promise<readonly WebhookId[]> =>
  units.write({ workspaceId, actor: OPERATOR }, 'bench', async (unit) => {
    const ids: WebhookId[] = []
    for (let path = 0; path < count; path++) {
      const secret = sealed(makeWebhookSecret())
      const last_seq = await unit.record('webhook.created', 'bench')
      const made = await unit.insert(webhooks, { url: `${url}/${path}`, secret, last_seq })
      await queueWebhook(unit.db, clock, made)
      ids.push(made.webhook_id)
    }
    return ids
  })

/** Makes a webhook get all events from the first. */
const moveBack = ({ units, clock }: Sender, workspaceId: WorkspaceId, id: WebhookId): Promise<void> =>
  units.write({ workspaceId, actor: OPERATOR }, 'bench', async (unit) => {
    await unit.record('webhook.replayed', id)
    await queueWebhook(unit.db, clock, await unit.update(webhooks, id, { last_seq: 0 }))
  })

async function newestOf({ db }: BenchEvents, workspaceId: WorkspaceId): Promise<number> {
  const row = await db
    .selectFrom('workspaces')
    .select('audit_events')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return Number(row.audit_events)
}

async function queue({ db }: BenchEvents) {
  const rows = await db.selectFrom('deliveries').select(['due_at', 'lease_owner']).execute()
  return { rows, isBusy: rows.some(({ lease_owner }) => lease_owner !== null) }
}

const parts = { rate, flaky, faults, events }
const only = process.argv[2]
for (const [name, part] of Object.entries(parts)) if (only === undefined || only === name) await part()
