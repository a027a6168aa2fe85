import type { Db } from '../database/schema.ts'
import type { MemberId } from '../runtime/identifiers.ts'

/** Ends the sessions of a member and deletes their passkeys. */
export async function endAccess(trx: Db, memberId: MemberId, at: string): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ ended_at: at })
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
    .execute()
  await trx.deleteFrom('passkeys').where('member_id', '=', memberId).execute()
}
