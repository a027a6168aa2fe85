import type { Context } from './context.ts'
import { isShared } from './database/dialect.ts'
import { releaseDeliveriesOf } from './deliveries/deliveries.ts'
import { type Channel, type RunningDeliveries, startDeliveries } from './deliveries/start-deliveries.ts'
import type { Log } from './runtime/logger.ts'
import { mailChannel } from './deliveries/mail-channel.ts'
import { queueAllWebhooks, webhookChannel } from './deliveries/webhook-channel.ts'
import { leaseOwner, ownerIsGone } from './runtime/lease-owner.ts'

/** Sends what the queue of deliveries holds: webhooks, and mail if there is a mail server. */
export async function startChannels(ctx: Context, log: Log, issuer: string): Promise<RunningDeliveries> {
  const { db, clock } = ctx
  const owner = leaseOwner()
  const self = { owner, shared: isShared(db) }
  await releaseDeliveriesOf(db, (other) => ownerIsGone(other, self))
  await queueAllWebhooks(db, clock)
  const webhooks = webhookChannel({ ...ctx.webhooks, mail: ctx.mail })
  return startDeliveries({ db, clock, owner, channels: [webhooks, ...(await mailOf(ctx, issuer))], log })
}

/** Loads the mail client only if it is needed. */
async function mailOf({ db, clock, config }: Context, issuer: string): Promise<readonly Channel[]> {
  if (config.mail === undefined) return []
  const { mailServer } = await import('./deliveries/mail-server.ts')
  return [mailChannel({ db, clock, config: config.mail, issuer, send: mailServer(config.mail) })]
}
