import type { Db } from '../database/schema.ts'
import { NullableString, OneOf } from '../http/schema-parts.ts'
import { type Static, Type } from 'typebox'

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

/** What became of mails, by their `dedupe`. Nothing for a mail that was never queued, or that ended more than 90 days ago. */
export async function mailStatuses(
  db: Db,
  dedupes: readonly string[],
): Promise<ReadonlyMap<string, MailStatus>> {
  if (dedupes.length === 0) return new Map()
  const rows = await db
    .selectFrom('mails')
    .select(['dedupe', 'state', 'problem'])
    .where('dedupe', 'in', dedupes)
    .execute()
  return new Map(
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

export interface LastMail {
  readonly sentAt: string | null
  readonly failedAt: string | null
  readonly problem: string | null
  /** The last mail failed in a way that may pass: the mail server may be unavailable. */
  readonly isFailing: boolean
}

/** What the mail server said last, for operators. */
export async function readLastMail(db: Db): Promise<LastMail> {
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
    isFailing: failed?.state === 'pending' && (failed.tried_at ?? '') > (sent?.tried_at ?? ''),
  }
}
