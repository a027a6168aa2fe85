import type { Db } from '../database/schema.ts'
import { mailStatuses } from '../deliveries/mail-status.ts'
import { recipientsOf } from './request.ts'
import { reminderMail, requestMail } from './request-mail.ts'
import type { RequestView } from './request-queries.ts'
import type { EvidenceRequest } from './request-schemas.ts'

/** What became of the mail to each recipient: of the request and of the last reminder. */
export async function requestMails(db: Db, view: RequestView): Promise<EvidenceRequest['mails']> {
  const { request_id: id, reminded_at } = view
  const mails = recipientsOf(view).map((to) => {
    const reminder = reminded_at === null ? '' : reminderMail(id, reminded_at, to)
    return { to, request: requestMail(id, to), reminder }
  })
  const found = await mailStatuses(
    db,
    mails.flatMap(({ request, reminder }) => [request, reminder]),
  )
  return mails.map(({ to, request, reminder }) => ({
    to,
    request: found.get(request) ?? null,
    reminder: found.get(reminder) ?? null,
  }))
}
