import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { Units } from '../database/unit.ts'
import type { WebhookId } from '../runtime/identifiers.ts'
import { type Delivery, enqueue, type Outcome } from './deliveries.ts'
import type { Channel } from './start-deliveries.ts'
import type { WorkspaceEvent } from '../audit/event.ts'
import { readFeed } from '../audit/read-feed.ts'
import { traceOfMessage } from '../http/trace-context.ts'
import type { Mail } from './mail.ts'
import { readersOf } from './workspace-mail.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { PostWebhook } from './post-webhook.ts'
import { webhookHeaders } from './sign-webhook.ts'
import type { WebhookKey } from './webhook-key.ts'
import { type Attempt, recordAttempts, type Webhook, webhooks } from './webhooks.ts'

export const WEBHOOK_CHANNEL = 'webhook'
const SERVICE = { actor: { is: 'service' } } as const

export interface WebhookSender {
  readonly db: Db
  readonly units: Units
  readonly clock: Clock
  readonly key: WebhookKey
  readonly post: PostWebhook
}

const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS
/** After each failure; the last one repeats. */
const DELAYS_MS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800].map((seconds) => seconds * SECOND_MS)
export const GIVEN_UP_AFTER_MS = 72 * HOUR_MS
/** Less than the lease, with the time-out of a request. */
const MAX_RUN_MS = 30 * SECOND_MS
const PAGE = 100
/**
 * Failures in excess of deliveries that are retried at once, while a webhook works. A receiver that fails one time in ten
 * uses them up once in 60,000 events; one that is down is left alone after some tenths of a second.
 */
const MAX_CREDIT = 5
/** The longest wait before the first retry at once; it doubles with each failure in a row. */
const JITTER_MS = 20
/** How much may be sent again after a crash. */
const MAX_UNSAVED = 50
const SAVE_EVERY_MS = 200
/** A webhook without new events waits until one wakes it. */
const NOT_DUE = '9999-12-31T23:59:59.999Z'

/** Each webhook is one delivery that is due whenever there are events after the newest it got. So events are in order. */
export function webhookChannel(sender: WebhookSender & { readonly mail: Mail }): Channel {
  return {
    name: WEBHOOK_CHANNEL,
    concurrency: 32,
    prepare: () => wakeWebhooks(sender),
    deliver: (delivery) => deliverEvents(sender, delivery),
    delayMs: ({ attempt, failingSince }, now) =>
      failingSince !== null && now - Date.parse(failingSince) >= GIVEN_UP_AFTER_MS
        ? undefined
        : DELAYS_MS[Math.min(attempt, DELAYS_MS.length) - 1],
    failed: (trx, delivery, problem) => disableWebhook(trx, sender, delivery, problem),
  }
}

const webhookOf = ({ payload }: Delivery): WebhookId =>
  (payload as { readonly webhook_id: WebhookId }).webhook_id

/** Makes a webhook due at once. A delivery that runs at this time goes on, so that events stay in order. */
export async function queueWebhook(
  trx: Db,
  clock: Clock,
  { webhook_id, workspace_id }: Pick<Webhook, 'webhook_id' | 'workspace_id'>,
): Promise<void> {
  const ofWebhook = { channel: WEBHOOK_CHANNEL, dedupe: webhook_id }
  await deliveriesOf(trx, webhook_id).where('state', '<>', 'pending').execute()
  await enqueue(trx, clock, { ...ofWebhook, workspaceId: workspace_id, payload: { webhook_id } })
  await trx
    .updateTable('deliveries')
    .set({ due_at: timestamp(clock.now()), attempts: 0, failing_since: null, problem: null })
    .where('channel', '=', WEBHOOK_CHANNEL)
    .where('dedupe', '=', webhook_id)
    .where('lease_owner', 'is', null)
    .execute()
}

const deliveriesOf = (trx: Db, webhookId: WebhookId) =>
  trx.deleteFrom('deliveries').where('channel', '=', WEBHOOK_CHANNEL).where('dedupe', '=', webhookId)

export async function unqueueWebhook(trx: Db, webhookId: WebhookId): Promise<void> {
  await deliveriesOf(trx, webhookId).execute()
}

/** Makes webhooks due that wait while their workspace has newer events. */
async function wakeWebhooks({ db, clock }: WebhookSender): Promise<void> {
  const now = timestamp(clock.now())
  const waiting = await db
    .selectFrom('deliveries')
    .innerJoin('webhooks', (join) => join.onRef('webhooks.webhook_id', '=', 'deliveries.dedupe'))
    .innerJoin('workspaces', 'workspaces.workspace_id', 'webhooks.workspace_id')
    .select('deliveries.delivery_id')
    .where('channel', '=', WEBHOOK_CHANNEL)
    .where('state', '=', 'pending')
    .where('due_at', '=', NOT_DUE)
    .whereRef('workspaces.audit_events', '>', 'webhooks.last_seq')
    .execute()
  if (waiting.length === 0) return
  await db
    .updateTable('deliveries')
    .set({ due_at: now })
    .where(
      'delivery_id',
      'in',
      waiting.map(({ delivery_id }) => delivery_id),
    )
    .where('due_at', '=', NOT_DUE)
    .execute()
}

/** After a restore, the queue is empty. */
export async function queueAllWebhooks(db: Db, clock: Clock): Promise<void> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['webhook_id', 'workspace_id'])
    .where('disabled_at', 'is', null)
    .execute()
  const queued = await db
    .selectFrom('deliveries')
    .select('dedupe')
    .where('channel', '=', WEBHOOK_CHANNEL)
    .execute()
  const known = new Set<string>(queued.map(({ dedupe }) => dedupe))
  for (const row of rows) if (!known.has(row.webhook_id)) await queueWebhook(db, clock, row)
}

const readWebhook = ({ units }: WebhookSender, webhook_id: WebhookId): Promise<Webhook | undefined> =>
  units.read(SERVICE, (reader) => reader.rows(webhooks, { webhook_id }).first())

/** Sends one event now, whoever waits in the queue. */
export const sendingWebhooks = (sender: WebhookSender) => ({
  ...sender,
  send: (webhook: Webhook, event: Pick<WorkspaceEvent, 'seq' | 'type'>): Promise<Attempt> =>
    sendEvent(sender, webhook, event),
})

/** What is left of the failures that are retried at once. Each delivered event returns one. */
interface Credit {
  left: number
}

async function deliverEvents(sender: WebhookSender, delivery: Delivery): Promise<Outcome> {
  const { db, clock } = sender
  const id = webhookOf(delivery)
  const until = performance.now() + MAX_RUN_MS
  const credit: Credit = { left: delivery.failingSince === null ? MAX_CREDIT : 1 }
  let sentPages = 0
  while (performance.now() < until) {
    const webhook = await readWebhook(sender, id)
    if (webhook === undefined || webhook.disabled_at !== null) return { is: 'sent' }
    const events = await readFeed(db, webhook.workspace_id, webhook.last_seq, PAGE)
    if (events.length === 0) return { is: 'again', dueAt: NOT_DUE }
    const outcome = await sendEvents(sender, webhook, events, until, credit)
    if (outcome?.is === 'retry')
      return { ...outcome, hasProgressed: outcome.hasProgressed === true || sentPages > 0 }
    sentPages += 1
  }
  return { is: 'again', dueAt: timestamp(clock.now()) }
}

/** Sends events one after the other. What was delivered is saved in batches; after a crash, the unsaved ones are sent again. */
async function sendEvents(
  sender: WebhookSender,
  webhook: Webhook,
  events: readonly WorkspaceEvent[],
  until: number,
  credit: Credit,
): Promise<Extract<Outcome, { is: 'retry' }> | undefined> {
  const wanted = webhook.types === null ? undefined : new Set(webhook.types)
  let saved = webhook.last_seq
  let savedAt = performance.now()
  let reached = saved
  let unsaved: Attempt[] = []
  for (const event of events) {
    if (performance.now() >= until) break
    if (wanted === undefined || wanted.has(event.type)) {
      const attempts = await sendUntilDelivered(sender, webhook, event, until, credit)
      unsaved.push(...attempts)
      const problem = attempts.at(-1)?.problem ?? null
      if (problem !== null) {
        await saveAttempts(sender, webhook, { from: saved, to: reached }, unsaved)
        return { is: 'retry', problem, hasProgressed: reached > webhook.last_seq }
      }
    }
    reached = event.seq
    if (unsaved.length < MAX_UNSAVED && performance.now() - savedAt < SAVE_EVERY_MS) continue
    // A replay or an owner has moved or disabled it: start over from there.
    if (!(await saveAttempts(sender, webhook, { from: saved, to: reached }, unsaved))) return undefined
    saved = reached
    savedAt = performance.now()
    unsaved = []
  }
  if (reached > saved) await saveAttempts(sender, webhook, { from: saved, to: reached }, unsaved)
  return undefined
}

/** Retries one event at once, so that those after it wait for tenths of a second, not for the queue. Only the last attempt may have succeeded. */
async function sendUntilDelivered(
  sender: WebhookSender,
  webhook: Webhook,
  event: WorkspaceEvent,
  until: number,
  credit: Credit,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = []
  for (;;) {
    const attempt = await sendEvent(sender, webhook, event)
    attempts.push(attempt)
    credit.left = Math.min(MAX_CREDIT, credit.left + (attempt.problem === null ? 1 : -1))
    if (attempt.problem === null || credit.left <= 0 || performance.now() >= until) return attempts
    await pause(randomInt(JITTER_MS * 2 ** (attempts.length - 1)))
  }
}

const UNREADABLE = 'The secret of the webhook cannot be decrypted. Rotate it.'

/** The ID is the same for every attempt, so that a receiver recognizes a duplicate. */
export async function sendEvent(
  { clock, key, post }: WebhookSender,
  webhook: Webhook,
  event: Pick<WorkspaceEvent, 'seq' | 'type'>,
): Promise<Attempt> {
  const at = clock.now()
  const body = JSON.stringify(event)
  const id = `evt_${webhook.webhook_id.slice('whk_'.length)}_${event.seq === 0 ? `ping_${at}` : event.seq}`
  const attempt = { seq: event.seq, type: event.type, created_at: timestamp(at) }
  const secret = webhook.secret.reveal()
  if (secret === undefined) return { ...attempt, status: null, duration_ms: 0, problem: UNREADABLE }
  const { previous_secret, previous_secret_until: until } = webhook
  const isPreviousValid = until !== null && Date.parse(until) > at
  const previous = (isPreviousValid ? previous_secret?.reveal() : undefined) ?? ''
  const secrets = previous === '' ? [secret] : [secret, previous]
  const signed = await webhookHeaders({ id, timestampMs: at, body }, secrets, await key.signer())
  const headers = { ...signed, traceparent: traceOfMessage(id).traceparent }
  const started = performance.now()
  const { status = null, problem = null } = await post(webhook.url, headers, body)
  return { ...attempt, status, duration_ms: Math.round(performance.now() - started), problem }
}

/** Records attempts, and moves on to the newest event that was delivered or left out. Returns false if the webhook was moved meanwhile. */
async function saveAttempts(
  { units }: WebhookSender,
  { webhook_id, workspace_id: workspaceId }: Webhook,
  { from, to }: { readonly from: number; readonly to: number },
  attempts: readonly Attempt[],
): Promise<boolean> {
  return units.write({ ...SERVICE, workspaceId }, 'save attempts', async (unit) => {
    await recordAttempts(unit, webhook_id, attempts)
    const { numUpdatedRows } = await unit.db
      .updateTable('webhooks')
      .set({ last_seq: to })
      .where('webhook_id', '=', webhook_id)
      .where('last_seq', '=', from)
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  })
}

async function disableWebhook(
  trx: Db,
  { clock, mail }: WebhookSender & { readonly mail: Mail },
  delivery: Delivery,
  problem: string,
): Promise<void> {
  const at = timestamp(clock.now())
  const webhook = await trx
    .updateTable('webhooks')
    .set({
      disabled_at: at,
      disabled_reason: `Failed for three days: ${problem}`.slice(0, 500),
      updated_at: at,
    })
    .where('webhook_id', '=', webhookOf(delivery))
    .where('disabled_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (webhook === undefined) return
  const { webhook_id, workspace_id: workspaceId, url } = webhook
  const event = { workspaceId, actor: { is: 'service' }, subject: webhook_id, at } as const
  await recordEvent(trx, { ...event, action: 'webhook.disabled' })
  if (!mail.isOn) return
  const { workspace, owners } = await readersOf(trx, workspaceId)
  const since = delivery.failingSince ?? at
  const data = { workspace, url, since, problem, link: `/console/webhooks/${webhook_id}` }
  for (const to of owners)
    await mail.send(trx, {
      to,
      workspaceId,
      template: 'webhook_disabled',
      data,
      dedupe: `webhook_disabled:${webhook_id}:${at}:${to}`,
    })
}
