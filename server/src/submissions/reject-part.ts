import type { Db } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionId } from '../runtime/identifiers.ts'

const WHOLES = {
  /** The kit would name the workspace as the supplier of files that someone else sent. */
  request: {
    code: 'submission_of_request',
    message: 'These files were sent for a request. The supplier corrects them with the link of the request.',
    find: (db: Db, id: SubmissionId) =>
      db.selectFrom('request_rounds').select('round').where('submission_id', '=', id),
  },
  period: {
    code: 'submission_of_period',
    message: 'These files belong to a period of a program. Add and remove them there, then seal the period.',
    find: (db: Db, id: SubmissionId) =>
      db.selectFrom('program_periods').select('number').where('submission_id', '=', id),
  },
} as const

/** Rejects what would take a submission out of the request or the period that it belongs to. */
export async function rejectPart(
  db: Db,
  id: SubmissionId,
  wholes: readonly (keyof typeof WHOLES)[],
): Promise<void> {
  for (const whole of wholes) {
    const { code, message, find } = WHOLES[whole]
    if ((await find(db, id).executeTakeFirst()) !== undefined) throw new Refusal(code, message)
  }
}
