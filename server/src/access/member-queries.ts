import type { Db, MembersTable } from '../database/schema.ts'
import { workspaceTables } from '../database/workspace-tables.ts'
import type { MemberSession } from '../http/caller.ts'
import { Refusal } from '../refusals.ts'
import type { MemberId, WorkspaceId } from '../runtime/identifiers.ts'

export const { members } = workspaceTables

/** Does not find removed members. `db` may be a transaction. */
export const findMember = (db: Db, workspaceId: WorkspaceId, email: string) =>
  current(db).where('workspace_id', '=', workspaceId).where('email', '=', email).executeTakeFirst()

export const findMemberById = (db: Db, memberId: MemberId) =>
  current(db).where('member_id', '=', memberId).executeTakeFirst()

/** People who are invited and have not joined. Each has the ID of the member that they will be. */
export const openInvitations = (db: Db) =>
  db.selectFrom('invitations').where('accepted_at', 'is', null).where('revoked_at', 'is', null)

/**
 * The workspaces that a session can be continued in. Single sign-on proves an email address, and so every membership with it. A passkey or
 * a link proves one membership only.
 */
export const membershipsOf = (
  db: Db,
  { email, method, memberId }: Pick<MemberSession, 'email' | 'method' | 'memberId'>,
) =>
  method === 'oidc'
    ? membershipsWith(db, email)
    : withWorkspaces(db).where('member_id', '=', memberId).execute()

export const membershipsWith = (db: Db, email: string) =>
  withWorkspaces(db).where('email', '=', email).execute()

/** `name` is that of the workspace. */
const withWorkspaces = (db: Db) =>
  current(db)
    .innerJoin('workspaces', 'workspaces.workspace_id', 'members.workspace_id')
    .select('workspaces.name')
    .orderBy('workspaces.name')

export const memberExists = (): Refusal =>
  new Refusal('member_exists', 'The workspace already has a member with this email address.')

export const listMembers = (db: Db, workspaceId: WorkspaceId) =>
  current(db)
    .where('workspace_id', '=', workspaceId)
    .select((eb) => [
      eb
        .selectFrom('sessions')
        .select(({ fn }) => fn.max('sessions.last_seen_at').as('last'))
        .whereRef('sessions.member_id', '=', 'members.member_id')
        .as('last_seen_at'),
      eb.fn
        .coalesce(
          eb
            .selectFrom('passkeys')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('passkeys.member_id', '=', 'members.member_id'),
          eb.lit(0),
        )
        .as('passkeys'),
    ])
    .orderBy('created_at')
    .orderBy('member_id')
    .execute()

const current = (db: Db) => db.selectFrom('members').selectAll('members').where('removed_at', 'is', null)

/** Anyone can enter any address. It counts if single sign-on or a link of the operator has proved it. */
export const isProved = ({ sso_at, confirmed_at }: Pick<MembersTable, 'sso_at' | 'confirmed_at'>): boolean =>
  sso_at !== null || confirmed_at !== null

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
