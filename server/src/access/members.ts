import { isFound } from '../database/questions.ts'
import { timestamp } from '../runtime/clock.ts'
import type { MemberRole, MembersTable } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Event, Unit } from '../database/unit.ts'
import { endAccess, findMember, findMemberById, memberExists } from './member-queries.ts'
import { revokeInvitations, type InvitationsOptions, invite } from './invitations.ts'
import { endWhatItMade, takeOver } from './makers.ts'
import type { OperatorActor } from './operators.ts'

/** What people say about themselves. */
interface Person {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
}

/** Members change their own name and address. */
export async function changePerson(unit: Unit, memberId: MemberId, person: Person): Promise<void> {
  const { db, workspaceId } = unit
  const { name, email } = await memberOf(db, workspaceId, memberId)
  // Addresses are compared as text, so they are stored in lower case.
  const wanted = { name: person.name?.normalize('NFC') ?? name, email: person.email?.toLowerCase() ?? email }
  const details = {
    ...(wanted.name === name ? {} : { name: wanted.name }),
    ...(wanted.email === email ? {} : { email: wanted.email }),
  }
  if (Object.keys(details).length === 0) return
  await unit.record('member.changed', memberId, details)
  if (wanted.email !== email && (await findMember(db, workspaceId, wanted.email)) !== undefined)
    throw memberExists()
  const proved = wanted.email === email ? {} : { sso_at: null, confirmed_at: null }
  await db
    .updateTable('members')
    .set({ ...wanted, ...proved })
    .where('member_id', '=', memberId)
    .execute()
}

/** The link of the first start is the operator's, who then enters their address. */
export async function confirmAddress({ db, at }: Unit, memberId: MemberId): Promise<void> {
  await db.updateTable('members').set({ confirmed_at: at }).where('member_id', '=', memberId).execute()
}

/** Fails with `last_owner` if the workspace would be left without an owner. */
export async function changeRole(unit: Unit, id: string, role: MemberRole): Promise<MembersTable> {
  const member = await lockedMember(unit, id, 'member.changed', ({ role: from }) => ({ from, to: role }))
  const { member_id } = member
  if (role !== 'owner') {
    await rejectLastOwner(unit.db, member)
    await revokeInvitations(unit, { inviter: member_id })
  }
  await unit.db.updateTable('members').set({ role }).where('member_id', '=', member_id).execute()
  return { ...member, role }
}

/**
 * Also ends the member's sessions and deletes their passkeys, revokes the invitations that they made and those for them, and
 * ends the keys and federations that they made, and what these made. The actor takes over those in `keep`.
 */
export async function removeMember(unit: Unit, id: string, keep: readonly string[] = []): Promise<void> {
  const member = await lockedMember(unit, id, 'member.removed', ({ email }) => ({ email }))
  await rejectLastOwner(unit.db, member)
  const { db, at, workspaceId, acting } = unit
  const { member_id, email } = member
  await db.updateTable('members').set({ removed_at: at }).where('member_id', '=', member_id).execute()
  await endAccess(db, member_id, at)
  await revokeInvitations(unit, { inviter: member_id })
  await revokeInvitations(unit, { email })
  const by = { workspaceId, actor: acting.actor, at }
  await takeOver(db, member_id, keep, by)
  await endWhatItMade(db, member_id, by)
}

async function lockedMember(
  unit: Unit,
  id: string,
  action: Event['action'],
  details: (member: MembersTable) => Event['details'],
): Promise<MembersTable> {
  const member = await memberOf(unit.db, unit.workspaceId, id)
  // Recording the event locks the workspace, which serializes two owners who remove each other.
  await unit.record(action, member.member_id, details(member))
  // Read again, because the member may have changed before the lock.
  return memberOf(unit.db, unit.workspaceId, id)
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
  const other = trx
    .selectFrom('members')
    .select('member_id')
    .where('workspace_id', '=', member.workspace_id)
    .where('member_id', '<>', member.member_id)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
  if (!(await isFound(other)))
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
