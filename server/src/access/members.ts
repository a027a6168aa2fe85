import { type Clock, timestamp } from '../runtime/clock.ts'
import type { MemberRole, MembersTable } from '../database/console-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { type NewEvent, recordEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'
import { endAccess, findMember, findMemberById, memberExists } from './member-queries.ts'
import { revokeInvitationsOf, type InvitationsOptions, invite } from './invitations.ts'
import { endWhatItMade, takeOver } from './makers.ts'
import type { OperatorActor } from './operators.ts'

type MemberActor = Extract<Actor, { is: 'member' }>
type RemovingActor = Extract<Actor, { is: 'member' | 'operator' }>

/** Changes members. A change that would leave a workspace without an owner fails with `last_owner`. */
export type Members = ReturnType<typeof members>

/** What people say about themselves. */
interface Person {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
}

/** Members change their own name and address. */
export async function changePerson(
  trx: Db,
  clock: Clock,
  { workspaceId, memberId }: { readonly workspaceId: WorkspaceId; readonly memberId: MemberId },
  person: Person,
): Promise<void> {
  const { name, email } = await memberOf(trx, workspaceId, memberId)
  // Addresses are compared as text, so they are stored in lower case.
  const wanted = { name: person.name?.normalize('NFC') ?? name, email: person.email?.toLowerCase() ?? email }
  const details = {
    ...(wanted.name === name ? {} : { name: wanted.name }),
    ...(wanted.email === email ? {} : { email: wanted.email }),
  }
  if (Object.keys(details).length === 0) return
  const at = timestamp(clock.now())
  const event = { workspaceId, actor: { is: 'member', memberId }, subject: memberId, details, at } as const
  await recordEvent(trx, { ...event, action: 'member.changed' })
  if (wanted.email !== email && (await findMember(trx, workspaceId, wanted.email)) !== undefined)
    throw memberExists()
  const proved = wanted.email === email ? {} : { sso_at: null, confirmed_at: null }
  await trx
    .updateTable('members')
    .set({ ...wanted, ...proved })
    .where('member_id', '=', memberId)
    .execute()
}

/** The link of the first start is the operator's, who then enters their address. */
export async function confirmAddress(trx: Db, clock: Clock, memberId: MemberId): Promise<void> {
  const confirmed_at = timestamp(clock.now())
  await trx.updateTable('members').set({ confirmed_at }).where('member_id', '=', memberId).execute()
}

export function members(db: Db, clock: Clock) {
  const change = <T>(
    workspaceId: WorkspaceId,
    id: string,
    event: (member: MembersTable) => Omit<NewEvent, 'workspaceId' | 'subject' | 'at'>,
    work: (trx: Db, member: MembersTable, at: string) => Promise<T>,
  ): Promise<T> =>
    transact(db, async (trx) => {
      const at = timestamp(clock.now())
      const member = await memberOf(trx, workspaceId, id)
      // Recording the event locks the workspace, which serializes two owners who remove each other.
      await recordEvent(trx, { ...event(member), workspaceId, subject: member.member_id, at })
      // Read again, because the member may have changed before the lock.
      return work(trx, await memberOf(trx, workspaceId, id), at)
    })

  return {
    changeRole: (
      workspaceId: WorkspaceId,
      id: string,
      role: MemberRole,
      actor: MemberActor,
    ): Promise<MembersTable> =>
      change(
        workspaceId,
        id,
        (member) => ({ actor, action: 'member.changed', details: { from: member.role, to: role } }),
        async (trx, member) => {
          if (role !== 'owner') {
            await rejectLastOwner(trx, member)
            await revokeInvitationsOf(trx, clock, member, actor)
          }
          await trx.updateTable('members').set({ role }).where('member_id', '=', member.member_id).execute()
          return { ...member, role }
        },
      ),
    /**
     * Also ends the member's sessions and deletes their passkeys, revokes the invitations that they made and those for them, and
     * ends the keys and federations that they made, and what these made. The actor takes over those in `keep`.
     */
    remove: (
      workspaceId: WorkspaceId,
      id: string,
      actor: RemovingActor,
      keep: readonly string[] = [],
    ): Promise<void> =>
      change(
        workspaceId,
        id,
        (member) => ({ actor, action: 'member.removed', details: { email: member.email } }),
        async (trx, member, at) => {
          await rejectLastOwner(trx, member)
          const { member_id } = member
          await trx
            .updateTable('members')
            .set({ removed_at: at })
            .where('member_id', '=', member_id)
            .execute()
          await endAccess(trx, member_id, at)
          await revokeInvitationsOf(trx, clock, member, actor, 'and for them')
          const by = { workspaceId, actor, at }
          await takeOver(trx, member_id, keep, by)
          await endWhatItMade(trx, member_id, by)
        },
      ),
  }
}

/** Throws `member_not_found` if there is no such member in the workspace. */
export async function memberOf(trx: Db, workspaceId: WorkspaceId, id: string): Promise<MembersTable> {
  const member = await findMemberById(trx, id as MemberId)
  if (member === undefined || member.workspace_id !== workspaceId)
    throw new Refusal('member_not_found', 'Member not found in this workspace.')
  return member
}

async function rejectLastOwner(trx: Db, member: MembersTable): Promise<void> {
  if (member.role !== 'owner') return
  const other = await trx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', member.workspace_id)
    .where('member_id', '<>', member.member_id)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined)
    throw new Refusal('last_owner', 'This is the only owner. Make another member an owner first.')
}

/** Deletes the passkeys of a member, ends their sessions, and mails them a link to sign in. Nobody else gets the link. */
export const resetAccess = (
  options: InvitationsOptions,
  workspaceId: WorkspaceId,
  id: string,
  actor: OperatorActor,
): Promise<void> =>
  transact(options.db, async (trx) => {
    const at = timestamp(options.clock.now())
    const { member_id: subject, email, role } = await memberOf(trx, workspaceId, id)
    const event = { workspaceId, actor, subject, details: { email }, at } as const
    await recordEvent(trx, { ...event, action: 'member.access_reset' })
    await endAccess(trx, subject, at)
    await invite(trx, options, { workspaceId, email, role }, actor, 'access_reset')
  })
