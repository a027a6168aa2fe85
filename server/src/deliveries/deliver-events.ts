import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { readFeed, type WorkspaceEvent } from '../audit/events.ts'
import type { Db } from '../database/schema.ts'
import type { Unit, Units } from '../database/unit.ts'
import { timestamp } from '../runtime/clock.ts'
import type { WebhookId } from '../runtime/identifiers.ts'
import type { Log } from '../runtime/logger.ts'
import type { Kind, Outcome } from '../tasks/run-tasks.ts'
import { ensureTask, finishTask, type Task } from '../tasks/tasks.ts'
import { type Mail, mailOwners } from './mail.ts'
import {
  type Attempt,
  recordAttempts,
  sendEvent,
  type Webhook,
  webhooks,
  type WebhookSender,
} from './webhooks.ts'

/** The kind of task that sends the events of a webhook. */
export const WEBHOOK = 'webhook'
const SERVICE = { actor: { is: 'service' } } as const

export interface DeliveryContext extends WebhookSender {
  readonly db: Db
  readonly units: Units
  readonly mail: Mail
  readonly log: Pick<Log, 'warn'>
}

const SECOND_MS = 1000
/** After each failure; the last one repeats. */
const DELAYS_MS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800].map((seconds) => seconds * SECOND_MS)
const GIVEN_UP_AFTER_MS = 72 * 3600 * SECOND_MS
/** Begins the reason why the service disabled a webhook. */
export const GIVEN_UP = 'Failed for three days:'
/** Then it is the turn of another webhook. */
const MAX_RUN_MS = 30 * SECOND_MS
/** So many events may be sent again after a crash. */
const PAGE = 20
/**
 * Failures in excess of deliveries that are retried at once, while a webhook works. A receiver that fails one time in ten
 * uses them up once in 60,000 events; one that is down is left alone after some tenths of a second.
 */
const MAX_CREDIT = 5
/** The longest wait before the first retry at once; it doubles with each failure in a row. */
const JITTER_MS = 20

/** Each webhook is one task that is due whenever there are events after the newest it got. So events are in order. */
export const deliveringEvents = (sender: DeliveryContext): Kind => ({
  name: WEBHOOK,
  concurrency: 32,
  retries: 16,
  async find() {
    const dueAt = timestamp(sender.clock.now())
    for (const { webhook_id: key, workspace_id: workspaceId } of await webhooksBehind(sender.db).execute())
      await ensureTask(sender.db, { kind: WEBHOOK, key, workspaceId, dueAt })
  },
  run: (task, _free, stopping) => deliver(sender, task, stopping),
})

/** Those whose workspace has events that they have not got, and that are not queued. */
export const webhooksBehind = (db: Db) =>
  db
    .selectFrom('webhooks')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'webhooks.workspace_id')
    .leftJoin('tasks', (join) =>
      join.on('tasks.kind', '=', WEBHOOK).onRef('tasks.key', '=', 'webhooks.webhook_id'),
    )
    .select(['webhooks.webhook_id', 'webhooks.workspace_id'])
    .where('webhooks.disabled_at', 'is', null)
    .whereRef('workspaces.audit_events', '>', 'webhooks.last_seq')
    .where('tasks.key', 'is', null)

/** Sends events one after the other, and saves what was delivered page by page. */
async function deliver(sender: DeliveryContext, task: Task, stopping: AbortSignal): Promise<Outcome> {
  const { db, units } = sender
  const webhook_id = task.key as WebhookId
  const until = performance.now() + MAX_RUN_MS
  const credit = { left: task.failing_since === null ? MAX_CREDIT : 1 }
  let hasProgressed = false
  while (performance.now() < until && !stopping.aborted) {
    const webhook = await units.read(SERVICE, (reader) => reader.rows(webhooks, { webhook_id }).first())
    if (webhook === undefined || webhook.disabled_at !== null) return { is: 'done' }
    const events = await readFeed(db, webhook.workspace_id, webhook.last_seq, PAGE)
    if (events.length === 0) return { is: 'done' }
    const { attempts, reached, problem } = await sendPage(sender, webhook, events, until, credit)
    const acting = { ...SERVICE, workspaceId: webhook.workspace_id }
    await units.write(acting, 'save attempts', (unit) => save(unit, webhook, attempts, reached))
    hasProgressed ||= reached > webhook.last_seq
    if (problem !== null) return failed(sender, task, problem, hasProgressed)
  }
  return { is: 'again', fault: 'none', delayMs: 0 }
}

/** `reached` is the newest event that was delivered, or that the webhook does not ask for. */
async function sendPage(
  sender: DeliveryContext,
  webhook: Webhook,
  events: readonly WorkspaceEvent[],
  until: number,
  credit: { left: number },
) {
  const attempts: Attempt[] = []
  let reached = webhook.last_seq
  for (const event of events) {
    if (performance.now() >= until) break
    if (webhook.types?.includes(event.type) !== false) {
      const problem = await sendUntilDelivered(sender, webhook, event, until, credit, attempts)
      if (problem !== null) return { attempts, reached, problem }
    }
    reached = event.seq
  }
  return { attempts, reached, problem: null }
}

/** Retries one event at once, so that those after it wait for tenths of a second, not for the queue. */
async function sendUntilDelivered(
  sender: DeliveryContext,
  webhook: Webhook,
  event: WorkspaceEvent,
  until: number,
  credit: { left: number },
  attempts: Attempt[],
): Promise<string | null> {
  for (let failures = 0; ; failures += 1) {
    const attempt = await sendEvent(sender, webhook, event)
    attempts.push(attempt)
    credit.left = Math.min(MAX_CREDIT, credit.left + (attempt.problem === null ? 1 : -1))
    if (attempt.problem === null || credit.left <= 0 || performance.now() >= until) return attempt.problem
    await pause(randomInt(JITTER_MS * 2 ** failures))
  }
}

/** Unless a replay or an owner has moved or disabled it: then it starts over from there. */
async function save(unit: Unit, { webhook_id, last_seq }: Webhook, attempts: readonly Attempt[], to: number) {
  await recordAttempts(unit, webhook_id, attempts)
  await unit.db
    .updateTable('webhooks')
    .set({ last_seq: to })
    .where('webhook_id', '=', webhook_id)
    .where('last_seq', '=', last_seq)
    .where('disabled_at', 'is', null)
    .execute()
}

/** Tries again later; after three days, the webhook is disabled with a mail to the owners. */
async function failed(
  { clock, mail, log, units }: DeliveryContext,
  task: Task,
  problem: string,
  hasProgressed: boolean,
): Promise<Outcome> {
  const attempts = hasProgressed ? 0 : task.attempts
  const since = hasProgressed ? null : task.failing_since
  log.warn({ webhook_id: task.key, attempts, problem }, 'a webhook failed')
  if (since === null || clock.now() - Date.parse(since) < GIVEN_UP_AFTER_MS) {
    const delayMs = DELAYS_MS[Math.min(attempts, DELAYS_MS.length - 1)] ?? 0
    return { is: 'again', fault: 'task', delayMs, hasProgressed }
  }
  const workspaceId = task.workspace_id!
  await units.write({ ...SERVICE, workspaceId }, 'disable webhook', async (unit) => {
    if (!(await finishTask(unit.db, task))) return
    const { webhook_id, url, disabled_at } = await unit.own(webhooks).lock(task.key)
    if (disabled_at !== null) return
    const disabled_reason = `${GIVEN_UP} ${problem}`.slice(0, 500)
    await unit.update(webhooks, webhook_id, { disabled_at: unit.at, disabled_reason })
    await unit.record('webhook.disabled', webhook_id)
    await mailOwners(unit.db, mail, workspaceId, (workspace) => ({
      template: 'webhook_disabled',
      data: { workspace, url, since, problem, link: `/console/webhooks/${webhook_id}` },
      dedupe: `webhook_disabled:${webhook_id}:${unit.at}`,
    }))
  })
  return { is: 'gone' }
}
