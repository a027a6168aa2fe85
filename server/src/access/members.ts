import { isFound } from '../database/questions.ts'
import type { RowOf } from '../database/table.ts'
import type { Event, Unit } from '../database/unit.ts'
import type { MemberRole } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import { type InvitationContext, invite, revokeInvitations } from './invitations.ts'
import { endWhatItMade, takeOver } from './makers.ts'
import { endAccess, findMember, memberExists, members } from './member-queries.ts'

type Member = RowOf<typeof members>

/** What people say about themselves. */
interface Person {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
}

/** Members change their own name and address. */
export async function changePerson(unit: Unit, memberId: MemberId, person: Person): Promise<void> {
  const member = await unit.own(members).find(memberId)
  const name = person.name?.normalize('NFC') ?? member.name
  // Addresses are compared as text, so they are stored in lower case.
  const email = person.email?.toLowerCase() ?? member.email
  const isOther = email !== member.email
  if (name === member.name && !isOther) return
  await unit.record('member.changed', memberId, {
    ...(name !== member.name && { name }),
    ...(isOther && { email }),
  })
  if (isOther && (await findMember(unit.db, unit.workspaceId, email)) !== undefined) throw memberExists()
  await unit.update(members, memberId, { name, email, ...(isOther && { sso_at: null, confirmed_at: null }) })
}

/** Fails with `last_owner` if the workspace would be left without an owner. */
export async function changeRole(unit: Unit, id: string, role: MemberRole): Promise<Member> {
  const member = await lockedMember(unit, id, 'member.changed', ({ role: from }) => ({ from, to: role }))
  if (role !== 'owner') {
    await rejectLastOwner(unit, member)
    await revokeInvitations(unit, { inviting_member: member.member_id })
  }
  return unit.update(members, member.member_id, { role })
}

/**
 * Also ends the member's sessions and deletes their passkeys, revokes the invitations that they made and those for them, and
 * ends the keys and federations that they made, and what these made. Who acts takes over those in `keep`.
 */
export async function removeMember(unit: Unit, id: string, keep: readonly string[] = []): Promise<void> {
  const member = await lockedMember(unit, id, 'member.removed', ({ email }) => ({ email }))
  const { member_id, email } = member
  await rejectLastOwner(unit, member)
  await unit.update(members, member_id, { removed_at: unit.at })
  await endAccess(unit.db, member_id, unit.at)
  await revokeInvitations(unit, { inviting_member: member_id })
  await revokeInvitations(unit, { email })
  await takeOver(unit, member_id, keep)
  await endWhatItMade(unit, member_id)
}

async function lockedMember(
  unit: Unit,
  id: string,
  action: Event['action'],
  details: (member: Member) => Event['details'],
): Promise<Member> {
  const member = await memberOf(unit, id)
  // Recording the event locks the workspace, which serializes two owners who remove each other.
  await unit.record(action, member.member_id, details(member))
  // Read again, because the member may have changed before the lock.
  return memberOf(unit, id)
}

/** Throws `member_not_found` if there is no such member in the workspace now. */
export const memberOf = (reader: Pick<Unit, 'own'>, id: string): Promise<Member> =>
  reader.own(members).where('removed_at', 'is', null).find(id)

async function rejectLastOwner({ db }: Unit, member: Member): Promise<void> {
  if (member.role !== 'owner') return
  const other = db
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
export async function resetAccess(unit: Unit, ctx: InvitationContext, id: string): Promise<void> {
  const { member_id, email, role } = await memberOf(unit, id)
  await unit.record('member.access_reset', member_id, { email })
  await endAccess(unit.db, member_id, unit.at)
  await invite(unit, ctx, { email, role }, 'access_reset')
}
