import { type Kysely, sql } from 'kysely'
import { createIndexes } from './parts.ts'

/** What a member made that is still open, for the list before they are removed. Invitations of removed members are revoked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, [
    'index shares_by_maker on shares (created_by) where revoked_at is null',
    'index requests_by_maker on requests (created_by) where closed_at is null',
  ])
  await revokeInvitationsOfRemoved(db)
}

export async function revokeInvitationsOfRemoved(db: Kysely<unknown>): Promise<void> {
  await sql`update invitations set revoked_at = created_at
    where accepted_at is null and revoked_at is null
      and inviting_member in (select member_id from members where removed_at is not null)`.execute(db)
}
