import { column, type New, sealed, type StoredRow, table } from '../database/table.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { Identifiers, WorkspaceId } from '../runtime/identifiers.ts'
import type { SecretsAtRest } from '../keys/secrets-at-rest.ts'
import { queueTask } from '../tasks/tasks.ts'
import { createLink } from '../database/links.ts'
import { isMember, refuseMail } from './mail-limits.ts'
import type { MailData, TemplateName } from './render-mail.ts'

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

export interface MailContext {
  readonly clock: Clock
  readonly identifiers: Pick<Identifiers, 'id' | 'linkId'>
  readonly isOn: boolean
  readonly secrets: SecretsAtRest
}

export type Mail = ReturnType<typeof mail>

export function mail({ clock, identifiers, isOn, secrets }: MailContext) {
  /** Returns its ID; undefined if there is one with the same text. */
  async function insert(trx: Db, workspaceId: WorkspaceId, values: New<(typeof mails)['columns']>) {
    const row = mails.fill(values, { at: timestamp(clock.now()), workspaceId, id: identifiers.id })
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('mails')
      .values(mails.encode(row, secrets, row.mail_id) as StoredRow<typeof mails>)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n ? row.mail_id : undefined
  }

  async function enqueue(
    trx: Db,
    { workspaceId, dedupe, dueAt = timestamp(clock.now()) }: MailMessage,
    payload: MailPayload,
  ): Promise<boolean> {
    const key = await insert(trx, workspaceId, { dedupe, payload: sealed(JSON.stringify(payload)) })
    if (key !== undefined) await queueTask(trx, { kind: MAIL, key, workspaceId, dueAt })
    return key !== undefined
  }

  return {
    /** False if no mail server is set: then `send` does nothing, and everything works by link. */
    isOn,
    /** Enqueues a mail in the transaction of the change that it is about. False if it is not sent. */
    send: async (trx: Db, message: MailMessage): Promise<boolean> => {
      const { to, workspaceId, template, data, dedupe } = message
      if (!isOn || !isAddress(to)) return false
      const payload = { to, template, data }
      const subject = to.toLowerCase()
      if (await isMember(trx, workspaceId, subject)) return enqueue(trx, message, payload)
      if (await isMailed(trx, dedupe)) return false
      const problem = await refuseMail(trx, clock, workspaceId, subject)
      if (problem !== undefined) {
        const ended_at = timestamp(clock.now())
        await insert(trx, workspaceId, { dedupe, state: 'failed', problem, ended_at })
        return false
      }
      const expiresAt = timestamp(clock.now() + UNSUBSCRIBE_MS)
      const link = { workspaceId, purpose: 'unsubscribe', subject, expiresAt } as const
      const { token } = await createLink(trx, { clock, identifiers }, link)
      return enqueue(trx, message, { ...payload, unsubscribe: token })
    },
  }
}

/** Whether there is a mail of this text, sent or not. */
export async function isMailed(db: Db, dedupe: string): Promise<boolean> {
  const row = await db.selectFrom('mails').select('mail_id').where('dedupe', '=', dedupe).executeTakeFirst()
  return row !== undefined
}

const UNSUBSCRIBE_MS = 365 * 24 * 60 * 60 * 1000

/** One plain address: nothing that a mail server could read as a list, a name or a header. */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text)

export const mailOff: Mail = { isOn: false, send: async () => false }
