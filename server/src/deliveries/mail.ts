import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { enqueue, isEnqueued } from './deliveries.ts'
import type { Identifiers, WorkspaceId } from '../runtime/identifiers.ts'
import type { SecretsAtRest } from '../keys/secrets-at-rest.ts'
import { rowOfMail } from './seal-stored.ts'
import { createLink } from '../database/links.ts'
import { isMember, refuseMail } from './mail-limits.ts'
import type { MailData, TemplateName } from './mail-templates.ts'

export const MAIL_CHANNEL = 'mail'

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

/** What the queue keeps until the mail is sent. */
export type MailPayload = Pick<MailMessage, 'to' | 'template' | 'data'> & {
  /** The token of the link to unsubscribe. */
  readonly unsubscribe?: string
}

export interface MailContext {
  readonly clock: Clock
  readonly identifiers: Pick<Identifiers, 'linkId'>
  readonly isOn: boolean
  readonly secrets: SecretsAtRest
}

export type Mail = ReturnType<typeof mail>

export function mail({ clock, identifiers, isOn, secrets }: MailContext) {
  /** Its links let their holder in, so it is encrypted while it waits. */
  const sealed = (payload: MailPayload, dedupe: string): object =>
    secrets.isOn ? { sealed: secrets.seal(JSON.stringify(payload), rowOfMail({ dedupe })) } : payload
  return {
    /** False if no mail server is set: then `send` does nothing, and everything works by link. */
    isOn,
    /** Enqueues a mail in the transaction of the change that it is about. False if it is not sent. */
    send: async (
      trx: Db,
      { to, workspaceId, template, data, dedupe, dueAt }: MailMessage,
    ): Promise<boolean> => {
      if (!isOn || !isAddress(to)) return false
      const payload = { to, template, data }
      const row = { channel: MAIL_CHANNEL, dedupe, workspaceId, ...(dueAt !== undefined && { dueAt }) }
      const subject = to.toLowerCase()
      if (await isMember(trx, workspaceId, subject))
        return enqueue(trx, clock, { ...row, payload: sealed(payload, dedupe) })
      if (await isEnqueued(trx, row)) return false
      const problem = await refuseMail(trx, clock, workspaceId, subject)
      if (problem !== undefined) {
        await enqueue(trx, clock, { ...row, payload, problem })
        return false
      }
      const expiresAt = timestamp(clock.now() + UNSUBSCRIBE_MS)
      const link = { workspaceId, purpose: 'unsubscribe', subject, expiresAt } as const
      const { token } = await createLink(trx, { clock, identifiers }, link)
      return enqueue(trx, clock, {
        ...row,
        payload: sealed({ ...payload, unsubscribe: token }, dedupe),
      })
    },
  }
}

const UNSUBSCRIBE_MS = 365 * 24 * 60 * 60 * 1000

/** One plain address: nothing that a mail server could read as a list, a name or a header. */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text)

export const mailOff: Mail = { isOn: false, send: async () => false }
