import type { Language } from '@kitseal/kit/internal'
import type { MailConfig } from '../settings/parse.ts'
import type { Db } from '../database/schema.ts'
import type { Delivery } from './deliveries.ts'
import type { Channel } from './start-deliveries.ts'
import { MAIL_CHANNEL, type MailPayload } from './mail.ts'
import type { OutgoingMail, SendMail } from './mail-server.ts'
import type { SecretsAtRest } from '../keys/secrets-at-rest.ts'
import { rowOfMail } from './seal-stored.ts'
import { noteMail } from './mail-notes.ts'
import { UNSUBSCRIBED } from './mail-limits.ts'
import { renderMail } from './render-mail.ts'
import { TEMPLATES } from './mail-templates.ts'
import { isUnsubscribed } from './unsubscribe.ts'
import { languageOf } from '../database/workspace-language.ts'

export interface MailChannelContext {
  readonly db: Db
  readonly config: Pick<MailConfig, 'from'>
  readonly send: SendMail
  readonly secrets: SecretsAtRest
  readonly clock: { now(): number }
  /** Links in mail begin with it. */
  readonly issuer: string
}

const MINUTE_MS = 60_000
/** About two days in all. */
const DELAYS_MS = [1, 5, 15, 30, 60, 120, 240, 480, 960, 960].map((minutes) => minutes * MINUTE_MS)

/** Sends enqueued mail. */
export function mailChannel(ctx: MailChannelContext): Channel {
  return {
    name: MAIL_CHANNEL,
    concurrency: 4,
    delayMs: ({ attempt }) => DELAYS_MS[attempt - 1],
    deliver: async (delivery) => {
      const payload = await openMail(ctx.secrets, delivery)
      if (payload === undefined)
        return { is: 'retry', problem: 'The mail was encrypted with another KITSEAL_KEY_PASSPHRASE.' }
      // A mail of a newer release, or one that a node of that release will send.
      if (!Object.hasOwn(TEMPLATES, payload.template))
        return { is: 'retry', problem: `unknown template ${payload.template}` }
      const { workspaceId } = delivery
      const isUnwanted =
        payload.unsubscribe !== undefined &&
        workspaceId !== null &&
        (await isUnsubscribed(ctx.db, workspaceId, payload.to.toLowerCase()))
      if (isUnwanted) return { is: 'failed', problem: UNSUBSCRIBED }
      const language = await languageOf(ctx.db, workspaceId)
      const outcome = await ctx.send(composeMail(ctx, delivery, payload, language))
      // The mail may have been sent, so a note that fails must not send it again.
      await noteMail(ctx.db, ctx.clock, outcome).catch(() => undefined)
      return outcome
    },
  }
}

async function openMail(
  secrets: SecretsAtRest,
  { payload, dedupe }: Pick<Delivery, 'payload' | 'dedupe'>,
): Promise<MailPayload | undefined> {
  const { sealed } = payload as { readonly sealed?: string }
  if (sealed === undefined) return payload as MailPayload
  const text = secrets.open(sealed, rowOfMail({ dedupe }))
  return text === undefined ? undefined : (JSON.parse(text) as MailPayload)
}

/** The same delivery always gets the same Message-ID, so that mail programs recognize a duplicate. */
export function composeMail(
  { config, clock, issuer }: Pick<MailChannelContext, 'config' | 'clock' | 'issuer'>,
  { deliveryId }: Pick<Delivery, 'deliveryId'>,
  { to, template, data, unsubscribe }: MailPayload,
  language: Language = 'en',
): OutgoingMail {
  const url = unsubscribe === undefined ? undefined : `${issuer}/u/${unsubscribe}`
  const domain = /@([^\s<>]+)>?$/.exec(config.from)?.[1] ?? new URL(issuer).hostname
  return {
    from: config.from,
    to,
    ...renderMail(template, { ...data, link: absolute(issuer, data.link) } as never, {
      language,
      unsubscribeUrl: url,
    }),
    messageId: `<${deliveryId}@${domain}>`,
    date: new Date(clock.now()),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(url === undefined
        ? {}
        : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  }
}

const absolute = (issuer: string, link: string): string => (link.startsWith('/') ? `${issuer}${link}` : link)
