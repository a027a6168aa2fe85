import type { Kind } from '../tasks/run-tasks.ts'
import type { MailConfig } from '../settings/parse.ts'
import { deliveringEvents, type WebhookSender } from './deliver-events.ts'
import type { Mail } from './mail.ts'
import { type MailSending, sendingMail } from './send-mail.ts'

export interface DeliveryContext extends Omit<MailSending, 'config' | 'send'> {
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
