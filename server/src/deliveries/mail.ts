import { isFound, workspaceRow } from '../database/questions.ts'
import { column, type New, sealed, type StoredRow, table } from '../database/table.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { Identifiers, WorkspaceId } from '../runtime/identifiers.ts'
import type { SecretsAtRest } from '../keys/secrets-at-rest.ts'
import { queueTask } from '../tasks/tasks.ts'
import { createLink } from '../database/links.ts'
import type { MailData, TemplateName } from './render-mail.ts'
import { countToday } from '../database/daily-counts.ts'
import { LIMITS } from '../settings/limits.ts'
import { isUnsubscribed } from './unsubscribe.ts'
import { NullableString, OneOf } from '../http/schema-parts.ts'
import { type Static, Type } from 'typebox'

/** Mails that leave the service, and what became of them. */
export const mails = table('mails', {
  mail_id: column.id('mail'),
  workspace_id: column.owner(),
  /** What is sent twice with the same text arrives once. */
  dedupe: column.text(),
  /** JSON. It may hold a link that lets its holder in. Null once the mail is sent or given up. */
  payload: column.sealed().nullable(),
  state: column.oneOf('pending', 'sent', 'failed').default('pending'),
  /** What went wrong last. */
  problem: column.text().nullable(),
  /** When the mail server was last asked to send it. */
  tried_at: column.time().nullable(),
  created_at: column.created(),
  ended_at: column.time().nullable(),
})
  .unique(['dedupe'])
  .index(['tried_at'], 'tried_at is not null')
  .index(['ended_at'], 'ended_at is not null')
  .index(['workspace_id', 'ended_at'], "state = 'failed'")

declare module '../database/schema.ts' {
  interface Database {
    readonly mails: StoredRow<typeof mails>
  }
}

/** The kind of task that sends a mail. */
export const MAIL = 'mail'

export type MailMessage = {
  readonly [T in TemplateName]: {
    /** An email address, without a name. */
    readonly to: string
    readonly workspaceId: WorkspaceId
    readonly template: T
    readonly data: MailData[T]
    /** What is sent twice with the same text arrives once. */
    readonly dedupe: string
    /** Not before this time. */
    readonly dueAt?: string
  }
}[TemplateName]

/** What is kept until the mail is sent. */
export type MailPayload = Pick<MailMessage, 'to' | 'template' | 'data'> & {
  /** The token of the link to unsubscribe. */
  readonly unsubscribe?: string
}

interface MailContext {
  readonly clock: Clock
  readonly identifiers: Pick<Identifiers, 'id' | 'linkId'>
  readonly isOn: boolean
  readonly secrets: SecretsAtRest
}

export type Mail = ReturnType<typeof mail>

export function mail({ clock, identifiers, isOn, secrets }: MailContext) {
  /** False if there is one with the same text. */
  async function insert(
    trx: Db,
    { workspaceId, dueAt }: MailMessage,
    values: New<(typeof mails)['columns']>,
  ): Promise<boolean> {
    const from = { at: timestamp(clock.now()), workspaceId, id: identifiers.id }
    const row = mails.fill(values, from)
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('mails')
      .values(mails.encode(row, secrets, row.mail_id) as StoredRow<typeof mails>)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    const isNew = numInsertedOrUpdatedRows === 1n
    if (isNew && row.state === 'pending')
      await queueTask(trx, { kind: MAIL, key: row.mail_id, workspaceId, dueAt: dueAt ?? from.at })
    return isNew
  }

  return {
    /** False if no mail server is set: then `send` does nothing, and everything works by link. */
    isOn,
    /** Enqueues a mail in the transaction of the change that it is about. False if it is not sent. */
    send: async (trx: Db, message: MailMessage): Promise<boolean> => {
      const { to, workspaceId, template, data, dedupe } = message
      if (!isOn || !isAddress(to) || (await isMailed(trx, dedupe))) return false
      const subject = to.toLowerCase()
      const payload = (more: object) => ({
        dedupe,
        payload: sealed(JSON.stringify({ to, template, data, ...more })),
      })
      if (await isMember(trx, workspaceId, subject)) return insert(trx, message, payload({}))
      const problem = await refuseMail(trx, clock, workspaceId, subject)
      if (problem !== undefined) {
        await insert(trx, message, { dedupe, state: 'failed', problem, ended_at: timestamp(clock.now()) })
        return false
      }
      const expiresAt = timestamp(clock.now() + UNSUBSCRIBE_MS)
      const link = { workspaceId, purpose: 'unsubscribe', subject, expiresAt } as const
      const { token: unsubscribe } = await createLink(trx, { clock, identifiers }, link)
      return insert(trx, message, payload({ unsubscribe }))
    },
  }
}

/** Whether there is a mail of this text, sent or not. */
export const isMailed = (db: Db, dedupe: string): Promise<boolean> =>
  isFound(db.selectFrom('mails').select('mail_id').where('dedupe', '=', dedupe))

const UNSUBSCRIBE_MS = 365 * 24 * 60 * 60 * 1000

/** One plain address: nothing that a mail server could read as a list, a name or a header. */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text)

export const mailOff: Mail = { isOn: false, send: async () => false }

/** Whether an address (lower case) belongs to a member of the workspace, who has accepted an invitation. */
const isMember = (db: Db, workspaceId: WorkspaceId, email: string): Promise<boolean> =>
  isFound(
    db
      .selectFrom('members')
      .select('member_id')
      .where('workspace_id', '=', workspaceId)
      .where('email', '=', email)
      .where('removed_at', 'is', null),
  )

export const UNSUBSCRIBED = 'The recipient has unsubscribed.'

/** Why a mail to an outsider (lower case) is not sent. Counts it otherwise. */
async function refuseMail(trx: Db, clock: Clock, workspaceId: WorkspaceId, email: string) {
  if (await isUnsubscribed(trx, workspaceId, email)) return UNSUBSCRIBED
  const perRecipient = LIMITS.mailsToRecipient.value
  if (!(await countToday(trx, clock, `mail ${workspaceId} ${email}`, perRecipient)))
    return `A recipient gets at most ${perRecipient} mails a day from a workspace. Try again tomorrow.`
  const { mails_per_day: perDay } = await trx
    .selectFrom('workspaces')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .select('plans.mails_per_day')
    .where('workspaces.workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (await countToday(trx, clock, `mail ${workspaceId}`, perDay)) return undefined
  return `The plan allows ${perDay} mails a day to people outside the workspace, and all are used. Try again tomorrow.`
}

/** Who reads mail for a workspace: the email addresses of its owners. */
export async function readersOf(db: Db, workspaceId: WorkspaceId) {
  const { name } = await workspaceRow(db, workspaceId)
  const owners = await db
    .selectFrom('members')
    .select('email')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .orderBy('email')
    .execute()
  return { workspace: name, owners: owners.map(({ email }) => email) }
}

/** A mail, apart from whom it is for. */
export type Told = MailMessage extends infer M
  ? M extends MailMessage
    ? Omit<M, 'to' | 'workspaceId'>
    : never
  : never

/** Mails every owner of a workspace. `dedupe` is what it begins with. */
export async function mailOwners(
  trx: Db,
  { isOn, send }: Mail,
  workspaceId: WorkspaceId,
  tell: (workspace: string) => Told,
): Promise<void> {
  if (!isOn) return
  const { workspace, owners } = await readersOf(trx, workspaceId)
  const told = tell(workspace)
  for (const to of owners) await send(trx, { ...told, to, workspaceId, dedupe: `${told.dedupe}:${to}` })
}

/** What became of a mail. */
export const MailStatus = Type.Object({
  status: OneOf(
    ['queued', 'sent', 'failed'],
    '`sent`: the mail server accepted it. `queued`: it is tried again.',
  ),
  reason: NullableString('What went wrong last.'),
})
export type MailStatus = Static<typeof MailStatus>

const STATUSES = { pending: 'queued', sent: 'sent', failed: 'failed' } as const

/** By their `dedupe`. Nothing for a mail that was never queued, or that ended more than 90 days ago. */
export async function mailStatuses(db: Db, dedupes: readonly string[]) {
  const found = db.selectFrom('mails').select(['dedupe', 'state', 'problem'])
  const rows = dedupes.length === 0 ? [] : await found.where('dedupe', 'in', dedupes).execute()
  return new Map<string, MailStatus>(
    rows.map(({ dedupe, state, problem }) => [dedupe, { status: STATUSES[state], reason: problem }]),
  )
}

/** The newest mail whose `dedupe` begins so. */
export async function newestMail(db: Db, prefix: string): Promise<MailStatus | undefined> {
  const row = await db
    .selectFrom('mails')
    .select(['state', 'problem'])
    .where('dedupe', '>', prefix)
    .where('dedupe', '<', `${prefix}~`)
    .orderBy('dedupe', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : { status: STATUSES[row.state], reason: row.problem }
}

/** What the mail server said last, for operators. */
export async function readLastMail(db: Db) {
  const newest = db
    .selectFrom('mails')
    .selectAll()
    .where('tried_at', 'is not', null)
    .orderBy('tried_at', 'desc')
    .limit(1)
  const sent = await newest.where('state', '=', 'sent').executeTakeFirst()
  const failed = await newest.where('problem', 'is not', null).executeTakeFirst()
  return {
    sentAt: sent?.tried_at ?? null,
    failedAt: failed?.tried_at ?? null,
    problem: failed?.problem ?? null,
    /** The last mail failed in a way that may pass: the mail server may be unavailable. */
    isFailing: failed?.state === 'pending' && (failed.tried_at ?? '') > (sent?.tried_at ?? ''),
  }
}
