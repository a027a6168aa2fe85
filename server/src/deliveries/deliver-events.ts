import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { Units } from '../database/unit.ts'
import type { WebhookId } from '../runtime/identifiers.ts'
import { transact } from '../database/transact.ts'
import type { Log } from '../runtime/logger.ts'
import type { Kind, Outcome } from '../tasks/run-tasks.ts'
import { ensureTask, finishTask, type Task } from '../tasks/tasks.ts'
import { type WorkspaceEvent, readFeed } from '../audit/events.ts'
import { traceOfMessage } from '../http/request-headers.ts'
import { type Mail, mailOwners } from './mail.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { type PostWebhook, webhookHeaders } from './post-webhook.ts'
import type { WebhookKey } from './webhook-key.ts'
import { type Attempt, recordAttempts, type Webhook, webhooks } from './webhooks.ts'

/** The kind of task that sends the events of a webhook. */
export const WEBHOOK = 'webhook'
const SERVICE = { actor: { is: 'service' } } as const

export interface WebhookSender {
  readonly db: Db
  readonly units: Units
  readonly clock: Clock
  readonly key: WebhookKey
  readonly post: PostWebhook
  readonly log: Pick<Log, 'warn'>
}

const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS
/** After each failure; the last one repeats. */
const DELAYS_MS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800].map((seconds) => seconds * SECOND_MS)
export const GIVEN_UP_AFTER_MS = 72 * HOUR_MS
/** Then it is the turn of another webhook. */
const MAX_RUN_MS = 30 * SECOND_MS
/** Begins the reason why the service disabled a webhook. */
export const GIVEN_UP = 'Failed for three days:'
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

/** Each webhook is one task that is due whenever there are events after the newest it got. So events are in order. */
export const deliveringEvents = (sender: WebhookSender & { readonly mail: Mail }): Kind => ({
  name: WEBHOOK,
  concurrency: 32,
  retries: 16,
  find: () => queueWebhooks(sender),
  run: (task, _free, stopping) => deliver(sender, task, stopping),
})

/** Queues webhooks whose workspace has events that they have not got. */
async function queueWebhooks({ db, clock }: WebhookSender): Promise<void> {
  const dueAt = timestamp(clock.now())
  const behind = await webhooksBehind(db).execute()
  for (const { webhook_id: key, workspace_id: workspaceId } of behind)
    await ensureTask(db, { kind: WEBHOOK, key, workspaceId, dueAt })
}

export const webhooksBehind = (db: Db) =>
  db
    .selectFrom('webhooks')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'webhooks.workspace_id')
    .select(['webhooks.webhook_id', 'webhooks.workspace_id'])
    .where('webhooks.disabled_at', 'is', null)
    .whereRef('workspaces.audit_events', '>', 'webhooks.last_seq')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tasks')
            .select('key')
            .where('kind', '=', WEBHOOK)
            .whereRef('key', '=', 'webhooks.webhook_id'),
        ),
      ),
    )

async function deliver(
  sender: WebhookSender & { readonly mail: Mail },
  task: Task,
  stopping: AbortSignal,
): Promise<Outcome> {
  const delivered = await deliverEvents(sender, task, stopping)
  if (delivered.is !== 'failed')
    return delivered.is === 'all' ? { is: 'done' } : { is: 'again', fault: 'none', delayMs: 0 }
  const { problem, hasProgressed } = delivered
  const now = sender.clock.now()
  const attempts = hasProgressed ? 0 : task.attempts
  const since = hasProgressed ? null : task.failing_since
  sender.log.warn({ webhook_id: task.key, attempts, problem }, 'a webhook failed')
  if (since === null || now - Date.parse(since) < GIVEN_UP_AFTER_MS) {
    const delayMs = DELAYS_MS[Math.min(attempts, DELAYS_MS.length - 1)] ?? 0
    return { is: 'again', fault: 'task', delayMs, hasProgressed }
  }
  await transact(sender.db, async (trx) => {
    if (await finishTask(trx, task)) await disableWebhook(trx, sender, task, problem)
  })
  return { is: 'gone' }
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

type Delivered =
  | { readonly is: 'all' | 'some' }
  /** `hasProgressed`: something was delivered before the failure. */
  | { readonly is: 'failed'; readonly problem: string; readonly hasProgressed: boolean }

async function deliverEvents(sender: WebhookSender, task: Task, stopping: AbortSignal): Promise<Delivered> {
  const { db } = sender
  const until = performance.now() + MAX_RUN_MS
  const credit: Credit = { left: task.failing_since === null ? MAX_CREDIT : 1 }
  let sentPages = 0
  while (performance.now() < until && !stopping.aborted) {
    const webhook = await readWebhook(sender, task.key as WebhookId)
    if (webhook === undefined || webhook.disabled_at !== null) return { is: 'all' }
    const events = await readFeed(db, webhook.workspace_id, webhook.last_seq, PAGE)
    if (events.length === 0) return { is: 'all' }
    const outcome = await sendEvents(sender, webhook, events, until, credit)
    if (outcome !== undefined) return { ...outcome, hasProgressed: outcome.hasProgressed || sentPages > 0 }
    sentPages += 1
  }
  return { is: 'some' }
}

/** Sends events one after the other. What was delivered is saved in batches; after a crash, the unsaved ones are sent again. */
async function sendEvents(
  sender: WebhookSender,
  webhook: Webhook,
  events: readonly WorkspaceEvent[],
  until: number,
  credit: Credit,
): Promise<Extract<Delivered, { is: 'failed' }> | undefined> {
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
        return { is: 'failed', problem, hasProgressed: reached > webhook.last_seq }
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
  task: Task,
  problem: string,
): Promise<void> {
  const at = timestamp(clock.now())
  const webhook = await trx
    .updateTable('webhooks')
    .set({
      disabled_at: at,
      disabled_reason: `${GIVEN_UP} ${problem}`.slice(0, 500),
      updated_at: at,
    })
    .where('webhook_id', '=', task.key as WebhookId)
    .where('disabled_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (webhook === undefined) return
  const { webhook_id, workspace_id: workspaceId, url } = webhook
  const event = { workspaceId, actor: { is: 'service' }, subject: webhook_id, at } as const
  await recordEvent(trx, { ...event, action: 'webhook.disabled' })
  const since = task.failing_since ?? at
  const link = `/console/webhooks/${webhook_id}`
  await mailOwners(trx, mail, workspaceId, (workspace) => ({
    template: 'webhook_disabled',
    data: { workspace, url, since, problem, link },
    dedupe: `webhook_disabled:${webhook_id}:${at}`,
  }))
}
