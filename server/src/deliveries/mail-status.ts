import type { Db } from '../database/schema.ts'
import { NullableString } from '../http/schema-parts.ts'
import { OneOf } from '../http/text-schemas.ts'
import { type Static, Type } from 'typebox'
import { MAIL_CHANNEL } from './mail.ts'

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

/** What became of mails, by their `dedupe`. Nothing for a mail that was never enqueued, or that ended more than 90 days ago. */
export async function mailStatuses(
  db: Db,
  dedupes: readonly string[],
): Promise<ReadonlyMap<string, MailStatus>> {
  if (dedupes.length === 0) return new Map()
  const rows = await db
    .selectFrom('deliveries')
    .select(['dedupe', 'state', 'problem'])
    .where('channel', '=', MAIL_CHANNEL)
    .where('dedupe', 'in', dedupes)
    .execute()
  return new Map(
    rows.map(({ dedupe, state, problem }) => [dedupe, { status: STATUSES[state], reason: problem }]),
  )
}

/** The newest mail whose `dedupe` begins so. */
export async function newestMail(db: Db, prefix: string): Promise<MailStatus | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .select(['state', 'problem'])
    .where('channel', '=', MAIL_CHANNEL)
    .where('dedupe', '>', prefix)
    .where('dedupe', '<', `${prefix}~`)
    .orderBy('dedupe', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : { status: STATUSES[row.state], reason: row.problem }
}
