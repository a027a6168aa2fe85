import type { Language } from '@kitseal/kit/internal'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { RowOf } from '../database/table.ts'
import { languageOf } from '../database/questions.ts'
import type { SecretsAtRest } from '../keys/secrets-at-rest.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Log } from '../runtime/logger.ts'
import type { MailConfig } from '../settings/parse.ts'
import type { Kind, Outcome } from '../tasks/run-tasks.ts'
import { finishTask, type Task } from '../tasks/tasks.ts'
import { MAIL, type MailPayload, mails, UNSUBSCRIBED } from './mail.ts'
import type { OutgoingMail, SendMail, Sent } from './mail-server.ts'
import { TEMPLATES, renderMail } from './render-mail.ts'
import { isUnsubscribed } from './unsubscribe.ts'

export interface MailSending {
  readonly db: Db
  readonly config: Pick<MailConfig, 'from'>
  readonly send: SendMail
  readonly secrets: SecretsAtRest
  readonly clock: Clock
  /** Links in mail begin with it. */
  readonly issuer: string
  readonly log: Pick<Log, 'warn'>
}

const MINUTE_MS = 60_000
/** About two days in all. */
const DELAYS_MS = [1, 5, 15, 30, 60, 120, 240, 480, 960, 960].map((minutes) => minutes * MINUTE_MS)

/** Sends queued mail. */
export const sendingMail = (ctx: MailSending): Kind => ({
  name: MAIL,
  concurrency: 4,
  retries: 2,
  run: (task) => sendMail(ctx, task),
})

async function sendMail(ctx: MailSending, task: Task): Promise<Outcome> {
  const { db, clock, log } = ctx
  const row = await db.selectFrom('mails').selectAll().where('mail_id', '=', task.key).executeTakeFirst()
  if (row?.state !== 'pending') return { is: 'done' }
  const sent = await attempt(ctx, mails.decode(row, ctx.secrets))
  const now = timestamp(clock.now())
  const tried = sent.isTried === false ? {} : { tried_at: now }
  const delayMs = DELAYS_MS[task.attempts]
  const update = db.updateTable('mails').where('mail_id', '=', task.key)
  if (sent.is !== 'sent')
    log.warn({ mail_id: task.key, problem: sent.problem }, `a mail was not sent: ${sent.is}`)
  if (sent.is === 'retry' && delayMs !== undefined) {
    await update.set({ ...tried, problem: sent.problem.slice(0, MAX_PROBLEM) }).execute()
    return { is: 'again', fault: 'task', delayMs }
  }
  const problem = sent.is === 'sent' ? null : sent.problem.slice(0, MAX_PROBLEM)
  const state = sent.is === 'sent' ? 'sent' : 'failed'
  await transact(db, async (trx) => {
    if (!(await finishTask(trx, task))) return
    await trx
      .updateTable('mails')
      .set({ ...tried, state, problem, payload: null, ended_at: now })
      .where('mail_id', '=', task.key)
      .execute()
  })
  return { is: 'gone' }
}

const MAX_PROBLEM = 500

/** `isTried` is false if the mail server was not asked. */
type Attempt = Sent & { readonly isTried?: boolean }

async function attempt(ctx: MailSending, row: RowOf<typeof mails>): Promise<Attempt> {
  const text = row.payload?.reveal()
  if (text === undefined)
    return untried('retry', 'The mail was encrypted with another KITSEAL_KEY_PASSPHRASE.')
  const payload = JSON.parse(text) as MailPayload
  // A mail of a newer release, or one that a node of that release will send.
  if (!Object.hasOwn(TEMPLATES, payload.template))
    return untried('retry', `unknown template ${payload.template}`)
  const { workspace_id } = row
  if (
    payload.unsubscribe !== undefined &&
    (await isUnsubscribed(ctx.db, workspace_id, payload.to.toLowerCase()))
  )
    return untried('failed', UNSUBSCRIBED)
  const language = await languageOf(ctx.db, workspace_id)
  const mail = composeMail(ctx, row.mail_id, payload, language)
  return ctx.send(mail).catch((error: unknown) => ({ is: 'retry', problem: String(error) }))
}

const untried = (is: 'retry' | 'failed', problem: string): Attempt => ({ is, problem, isTried: false })

const KEPT_MS = 90 * 24 * 60 * MINUTE_MS

/** Removes mails that ended long ago. Until then their `dedupe` prevents a second one. */
export async function forgetMails(db: Db, clock: Clock): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('ended_at', '<', timestamp(clock.now() - KEPT_MS))
    .execute()
}

/** The same mail always gets the same Message-ID, so that mail programs recognize a duplicate. */
export function composeMail(
  { config, clock, issuer }: Pick<MailSending, 'config' | 'clock' | 'issuer'>,
  mailId: string,
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
    messageId: `<${mailId}@${domain}>`,
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
