import { countOf } from '../database/questions.ts'
import type { Kind } from '../tasks/run-tasks.ts'
import type { MailConfig } from '../settings/parse.ts'
import { deliveringEvents, type WebhookSender, GIVEN_UP } from './deliver-events.ts'
import type { Mail } from './mail.ts'
import { type MailSending, sendingMail } from './send-mail.ts'
import type { Registry } from 'prom-client'
import { gauge, sharedReading } from '../runtime/gauges.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'

interface DeliveryContext extends Omit<MailSending, 'config' | 'send'> {
  readonly config: { readonly mail?: MailConfig | undefined }
  readonly mail: Mail
  readonly webhooks: WebhookSender
}

/** What leaves the service: webhooks, and mail if there is a mail server. */
export async function deliveryTasks(ctx: DeliveryContext): Promise<readonly Kind[]> {
  const { config, webhooks, mail } = ctx
  const events = deliveringEvents({ ...webhooks, mail })
  if (config.mail === undefined) return [events]
  // Loads the mail client only if it is needed.
  const { mailServer } = await import('./mail-server.ts')
  return [events, sendingMail({ ...ctx, config: config.mail, send: mailServer(config.mail) })]
}

const CHANNELS = ['mail', 'webhook'] as const
const DAY_MS = 24 * 60 * 60 * 1000

interface Measured {
  readonly pending: number
  /** How long the oldest mail is due, and how old the oldest event is that a webhook has not delivered. Retries change neither. */
  readonly oldestSeconds: number
  readonly failing: number
  readonly failed: number
}

/** Every node reports the same values, from the shared database; the last ones while it is unavailable. */
export function registerDeliveryMetrics(registry: Registry, db: Db, clock: Clock): void {
  const measured = sharedReading(() => measureDeliveries(db, clock))
  const perChannel = (name: string, help: string, member: keyof Measured): void => {
    const read = async () => {
      const channels = await measured()
      return channels && new Map(CHANNELS.map((channel) => [channel, channels.get(channel)?.[member] ?? 0]))
    }
    gauge(registry, name, help, read, 'channel')
  }
  perChannel('kitseal_deliveries_pending', 'Deliveries that are due.', 'pending')
  perChannel(
    'kitseal_deliveries_oldest_seconds',
    'How long the oldest mail is due, and the age of the oldest event that a webhook has not delivered.',
    'oldestSeconds',
  )
  perChannel('kitseal_deliveries_failing', 'Deliveries that failed and will be retried.', 'failing')
  perChannel('kitseal_deliveries_failed', 'Deliveries given up in the last 24 hours.', 'failed')
}

export async function measureDeliveries(db: Db, clock: Clock): Promise<ReadonlyMap<string, Measured>> {
  const now = clock.now()
  const at = timestamp(now)
  const dayAgo = timestamp(now - DAY_MS)
  const tasks = await db
    .selectFrom('tasks')
    .select('kind')
    .select((eb) => [
      eb.fn.sum<number | string>(eb.case().when('due_at', '<=', at).then(1).else(0).end()).as('due'),
      eb.fn.min(eb.fn.coalesce('failing_since', 'due_at')).as('oldest'),
      eb.fn.count<number | string>('failing_since').as('failing'),
    ])
    .where('kind', 'in', CHANNELS)
    .groupBy('kind')
    .execute()
  const mails = db.selectFrom('mails').where('state', '=', 'failed').where('ended_at', '>', dayAgo)
  const webhooks = db
    .selectFrom('webhooks')
    .where('disabled_at', '>', dayAgo)
    .where('disabled_reason', 'like', `${GIVEN_UP}%`)
  const failed = { mail: await countOf(mails), webhook: await countOf(webhooks) }
  const { event } = await undeliveredEvents(db).executeTakeFirstOrThrow()
  return new Map(
    CHANNELS.map((channel) => {
      const waiting = tasks.find(({ kind }) => kind === channel)
      const oldest = channel === 'webhook' ? event : waiting?.oldest
      const waitMs = oldest == null ? 0 : now - Date.parse(oldest)
      return [
        channel,
        {
          pending: Number(waiting?.due ?? 0),
          oldestSeconds: Math.max(0, waitMs) / 1000,
          failing: Number(waiting?.failing ?? 0),
          failed: failed[channel],
        },
      ]
    }),
  )
}

/** The first event of each webhook that was not delivered. */
const undeliveredEvents = (db: Db) =>
  db
    .selectFrom('webhooks')
    .innerJoin('audit_events', (join) =>
      join
        .onRef('audit_events.workspace_id', '=', 'webhooks.workspace_id')
        .on('audit_events.sequence', '=', (eb) => eb('webhooks.last_seq', '+', 1)),
    )
    .select(({ fn }) => fn.min('audit_events.at').as('event'))
    .where('webhooks.disabled_at', 'is', null)
