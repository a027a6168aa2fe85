import type { SecretsAtRest } from '../keys/secrets-at-rest.ts'
import type { Db } from '../database/schema.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Config } from '../settings/config.ts'
import type { Mail } from './mail.ts'
import { isShared } from '../database/dialect.ts'
import { releaseDeliveriesOf } from './deliveries.ts'
import { type Channel, type RunningDeliveries, startDeliveries } from './start-deliveries.ts'
import type { Log } from '../runtime/logger.ts'
import { mailChannel } from './mail-channel.ts'
import { queueAllWebhooks, webhookChannel, type WebhookSender } from './webhook-channel.ts'
import { leaseOwner, ownerIsGone } from '../runtime/lease-owner.ts'

export interface ChannelsContext {
  readonly db: Db
  readonly clock: Clock
  readonly config: Pick<Config, 'mail'>
  readonly mail: Mail
  readonly webhooks: WebhookSender
  readonly secrets: SecretsAtRest
}

/** Sends what the queue of deliveries holds: webhooks, and mail if there is a mail server. */
export async function startChannels(
  ctx: ChannelsContext,
  log: Log,
  issuer: string,
): Promise<RunningDeliveries> {
  const { db, clock } = ctx
  const owner = leaseOwner()
  const self = { owner, shared: isShared(db) }
  await releaseDeliveriesOf(db, (other) => ownerIsGone(other, self))
  await queueAllWebhooks(db, clock)
  const webhooks = webhookChannel({ ...ctx.webhooks, mail: ctx.mail })
  return startDeliveries({ db, clock, owner, channels: [webhooks, ...(await mailOf(ctx, issuer))], log })
}

/** Loads the mail client only if it is needed. */
async function mailOf(
  { db, clock, config, secrets }: ChannelsContext,
  issuer: string,
): Promise<readonly Channel[]> {
  if (config.mail === undefined) return []
  const { mailServer } = await import('./mail-server.ts')
  const send = mailServer(config.mail)
  return [mailChannel({ db, clock, config: config.mail, issuer, send, secrets })]
}
