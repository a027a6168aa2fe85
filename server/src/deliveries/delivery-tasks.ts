import type { Registry } from 'prom-client'
import { countOf } from '../database/questions.ts'
import type { Db } from '../database/schema.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { gauge, sharedReading } from '../runtime/gauges.ts'
import type { MailConfig } from '../settings/parse.ts'
import type { Kind } from '../tasks/run-tasks.ts'
import { deliveringEvents, type DeliveryContext, GIVEN_UP } from './deliver-events.ts'
import { type MailSending, sendingMail } from './send-mail.ts'

interface Context extends Omit<MailSending, 'config' | 'send'>, Omit<DeliveryContext, 'key' | 'post'> {
  readonly config: { readonly mail?: MailConfig | undefined }
  readonly webhooks: Pick<DeliveryContext, 'clock' | 'key' | 'post'>
}

/** What leaves the service: webhooks, and mail if there is a mail server. */
export async function deliveryTasks({ webhooks, config, ...ctx }: Context): Promise<readonly Kind[]> {
  const events = deliveringEvents({ ...ctx, ...webhooks })
  if (config.mail === undefined) return [events]
  // Loads the mail client only if it is needed.
  const { mailServer } = await import('./mail-server.ts')
  return [events, sendingMail({ ...ctx, config: config.mail, send: mailServer(config.mail) })]
}

const CHANNELS = ['mail', 'webhook'] as const
const DAY_MS = 24 * 60 * 60 * 1000

/** Of each channel. Retries change neither the time of the oldest mail nor that of the oldest event. */
const METRICS = {
  pending: 'Deliveries that are due.',
  oldest_seconds:
    'How long the oldest mail is due, and the age of the oldest event that a webhook has not delivered.',
  failing: 'Deliveries that failed and will be retried.',
  failed: 'Deliveries given up in the last 24 hours.',
} as const

type Measured = Readonly<Record<keyof typeof METRICS, number>>

/** Every node reports the same values, from the shared database; the last ones while it is unavailable. */
export function registerDeliveryMetrics(registry: Registry, db: Db, clock: Clock): void {
  const measured = sharedReading(() => measureDeliveries(db, clock))
  for (const [name, help] of Object.entries(METRICS)) {
    const read = async () => {
      const channels = await measured()
      return channels && new Map(CHANNELS.map((each) => [each, channels[each][name as keyof Measured]]))
    }
    gauge(registry, `kitseal_deliveries_${name}`, help, read, 'channel')
  }
}

export async function measureDeliveries(db: Db, clock: Clock) {
  const now = clock.now()
  const dayAgo = timestamp(now - DAY_MS)
  const tasks = await db
    .selectFrom('tasks')
    .select('kind')
    .select((eb) => [
      eb.fn.sum(eb.case().when('due_at', '<=', timestamp(now)).then(1).else(0).end()).as('due'),
      eb.fn.min(eb.fn.coalesce('failing_since', 'due_at')).as('oldest'),
      eb.fn.count('failing_since').as('failing'),
    ])
    .where('kind', 'in', CHANNELS)
    .groupBy('kind')
    .execute()
  // The first event of each webhook that was not delivered.
  const { oldest: oldestEvent } = await db
    .selectFrom('webhooks')
    .innerJoin('audit_events', (join) =>
      join
        .onRef('audit_events.workspace_id', '=', 'webhooks.workspace_id')
        .on('audit_events.sequence', '=', (eb) => eb('webhooks.last_seq', '+', 1)),
    )
    .select(({ fn }) => fn.min('audit_events.at').as('oldest'))
    .where('webhooks.disabled_at', 'is', null)
    .executeTakeFirstOrThrow()
  const failedMails = db.selectFrom('mails').where('state', '=', 'failed').where('ended_at', '>', dayAgo)
  const givenUp = db
    .selectFrom('webhooks')
    .where('disabled_at', '>', dayAgo)
    .where('disabled_reason', 'like', `${GIVEN_UP}%`)
  const measured = (kind: string, oldest: string | null | undefined, failed: number): Measured => {
    const waiting = tasks.find((each) => each.kind === kind)
    return {
      pending: Number(waiting?.due ?? 0),
      oldest_seconds: oldest == null ? 0 : Math.max(0, now - Date.parse(oldest)) / 1000,
      failing: Number(waiting?.failing ?? 0),
      failed,
    }
  }
  const oldestMail = tasks.find(({ kind }) => kind === 'mail')?.oldest
  return {
    mail: measured('mail', oldestMail, await countOf(failedMails)),
    webhook: measured('webhook', oldestEvent, await countOf(givenUp)),
  }
}
