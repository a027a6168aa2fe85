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
import { renderMail } from './render-mail.ts'
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
  const mail = await composeMail(ctx, mails.decode(row, ctx.secrets))
  const sent = 'problem' in mail ? mail : await ctx.send(mail).catch(unexpected)
  const now = timestamp(clock.now())
  const problem = sent.is === 'sent' ? null : sent.problem.slice(0, MAX_PROBLEM)
  if (problem !== null) log.warn({ mail_id: task.key, problem }, `a mail was not sent: ${sent.is}`)
  const tried = { problem, ...('problem' in mail ? {} : { tried_at: now }) }
  const delayMs = DELAYS_MS[task.attempts]
  if (sent.is === 'retry' && delayMs !== undefined) {
    await db.updateTable('mails').set(tried).where('mail_id', '=', task.key).execute()
    return { is: 'again', fault: 'task', delayMs }
  }
  const ended = { state: sent.is === 'sent' ? 'sent' : 'failed', payload: null, ended_at: now } as const
  await transact(db, async (trx) => {
    if (await finishTask(trx, task))
      await trx
        .updateTable('mails')
        .set({ ...tried, ...ended })
        .where('mail_id', '=', task.key)
        .execute()
  })
  return { is: 'gone' }
}

const MAX_PROBLEM = 500

const unexpected = (error: unknown): Sent => ({ is: 'retry', problem: String(error) })

/** The mail, or why the mail server is not asked. The same mail always gets the same Message-ID, so that mail programs recognize a duplicate. */
async function composeMail(
  { db, config, clock, issuer }: MailSending,
  { mail_id, workspace_id, payload }: RowOf<typeof mails>,
): Promise<OutgoingMail | Exclude<Sent, { is: 'sent' }>> {
  const text = payload?.reveal()
  if (text === undefined)
    return { is: 'retry', problem: 'The mail was encrypted with another KITSEAL_KEY_PASSPHRASE.' }
  const { to, template, data, unsubscribe } = JSON.parse(text) as MailPayload
  if (unsubscribe !== undefined && (await isUnsubscribed(db, workspace_id, to.toLowerCase())))
    return { is: 'failed', problem: UNSUBSCRIBED }
  const unsubscribeUrl = unsubscribe === undefined ? undefined : `${issuer}/u/${unsubscribe}`
  const link = data.link.startsWith('/') ? `${issuer}${data.link}` : data.link
  const language = await languageOf(db, workspace_id)
  const domain = /@([^\s<>]+)>?$/.exec(config.from)?.[1] ?? new URL(issuer).hostname
  return {
    from: config.from,
    to,
    ...renderMail(template, { ...data, link }, { language, unsubscribeUrl }),
    messageId: `<${mail_id}@${domain}>`,
    date: new Date(clock.now()),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

const KEPT_MS = 90 * 24 * 60 * MINUTE_MS

/** Removes mails that ended long ago. Until then their `dedupe` prevents a second one. */
export async function forgetMails(db: Db, clock: Clock): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('ended_at', '<', timestamp(clock.now() - KEPT_MS))
    .execute()
}
