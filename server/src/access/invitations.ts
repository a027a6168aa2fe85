import { createLink, findLink, revokeLinks } from '../database/links.ts'
import type { Db, InvitationsTable, MemberRole } from '../database/schema.ts'
import type { Unit, Units } from '../database/unit.ts'
import { workspaceTables } from '../database/workspace-tables.ts'
import { type Mail, readersOf } from '../deliveries/mail.ts'
import { phrase } from '../deliveries/render-mail.ts'
import { Refusal } from '../refusals.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Identifiers, InvitationId, MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { endOfMaker, makerOf } from './makers.ts'
import { findMember, findMemberById, memberExists, openInvitations } from './member-queries.ts'
import { confirmOperator } from './operators.ts'

export interface Invited {
  readonly email: string
  readonly role: MemberRole
}

export const INVITATION_MS = 7 * 24 * 60 * 60_000

export interface InvitationContext {
  readonly mail: Mail
  readonly clock: Clock
  readonly identifiers: Pick<Identifiers, 'invitationId' | 'memberId' | 'linkId'>
}

/** Those that have neither ended nor expired. */
const open = (db: Db, clock: Clock) =>
  openInvitations(db)
    .selectAll()
    .where('expires_at', '>', timestamp(clock.now()))
    .orderBy('created_at', 'desc')

export const invitationsOf = (db: Db, clock: Clock, workspaceId: WorkspaceId) =>
  open(db, clock).where('workspace_id', '=', workspaceId).execute()

/** For an address, in all workspaces. */
export const invitationsFor = (db: Db, clock: Clock, email: string) =>
  open(db, clock).where('email', '=', email).execute()

/** Throws `invitation_invalid` if there is no open invitation with this token. */
export async function findInvitation(db: Db, clock: Clock, token: string): Promise<InvitationsTable> {
  const link = await findLink(db, clock, 'invitation', token)
  const id = (link?.subject_id ?? '') as InvitationId
  const row = await open(db, clock).where('invitation_id', '=', id).executeTakeFirst()
  if (row === undefined) throw invalid()
  return row
}

/** Revokes open invitations: one, those for an address, or those that a member made. Returns whether there were any. */
export async function revokeInvitations(unit: Unit, which: Which): Promise<boolean> {
  const revoked = await revokeOpen(unit, which)
  for (const { invitation_id, email } of revoked)
    await unit.record('invitation.revoked', invitation_id, { email })
  return revoked.length > 0
}

type Which = Partial<Pick<InvitationsTable, 'email' | 'invitation_id' | 'inviting_member'>>

async function revokeOpen({ db, at, workspaceId }: Unit, which: Which) {
  const revoked = await db
    .updateTable('invitations')
    .set({ revoked_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(({ and }) => and(which))
    .returning(['invitation_id', 'email'])
    .execute()
  for (const { invitation_id: subject } of revoked)
    await revokeLinks(db, { now: () => Date.parse(at) }, { purpose: 'invitation', subject })
  return revoked
}

/**
 * Invites an address and revokes its open invitation. For an existing member, the link signs that member in. Only the
 * operator may do that: members get `member_exists`.
 */
export async function invite(
  unit: Unit,
  ctx: InvitationContext,
  invited: Invited,
  template: 'invitation' | 'access_reset' = 'invitation',
) {
  const { db, workspaceId } = unit
  const { actor } = unit.acting
  if (actor.is === 'key' || actor.is === 'link' || actor.is === 'anonymous')
    throw new Error(`a ${actor.is} invites nobody`)
  const email = invited.email.toLowerCase()
  const member = await findMember(db, workspaceId, email)
  // The link signs in as that member, so only the operator may create it.
  if (member !== undefined && actor.is === 'member') throw memberExists()
  const role = member?.role ?? invited.role
  const invitation_id = ctx.identifiers.invitationId()
  const known = member === undefined ? {} : { member_id: member.member_id }
  // Recording the event locks the workspace, so an address has one open invitation.
  await unit.record('member.invited', invitation_id, { email, role, ...known })
  await endOfMaker(unit, makerOf(actor))
  await revokeOpen(unit, { email })
  const { expires_at } = await unit.insert(workspaceTables.invitations, {
    invitation_id,
    email,
    role,
    member_id: member?.member_id ?? (await reservedFor(db, workspaceId, email)) ?? ctx.identifiers.memberId(),
    invited_by: actor.is,
    inviting_member: actor.is === 'member' ? actor.memberId : null,
    expires_at: unit.after(INVITATION_MS),
  })
  const link = { purpose: 'invitation', subject: invitation_id, expiresAt: expires_at } as const
  const { token } = await createLink(db, ctx, { workspaceId, ...link })
  // The operator who starts the service first has no address.
  if (ctx.mail.isOn && actor.is !== 'service') {
    const { workspace } = await readersOf(db, workspaceId)
    const inviting = actor.is === 'member' ? await findMemberById(db, actor.memberId) : undefined
    const data = {
      workspace,
      link: `/console/invite#${token}`,
      expires: expires_at,
      role: phrase(`mail.phrase.${role}`),
      inviter: inviting?.email ?? phrase('mail.phrase.operator'),
      operator: actor.is === 'operator' ? (actor.email ?? '') : '',
    }
    await ctx.mail.send(db, { to: email, workspaceId, template, data, dedupe: invitation_id })
  }
  return { invitationId: invitation_id, workspaceId, email, role, token, expiresAt: expires_at }
}

/** Of an earlier invitation that nobody accepted: what was given to the person stays theirs. */
async function reservedFor(db: Db, workspaceId: WorkspaceId, email: string): Promise<MemberId | undefined> {
  const earlier = await db
    .selectFrom('invitations')
    .leftJoin('members', 'members.member_id', 'invitations.member_id')
    .select('invitations.member_id')
    .where('invitations.workspace_id', '=', workspaceId)
    .where('invitations.email', '=', email)
    .where('accepted_at', 'is', null)
    .where('members.member_id', 'is', null)
    .orderBy('invitations.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return earlier?.member_id
}

/** Consumes the invitation in the transaction of the sign-in, and returns the member. */
export async function acceptInvitation(
  units: Units,
  trx: Db,
  invitation: InvitationsTable,
): Promise<MemberId> {
  const { invitation_id, workspace_id: workspaceId, email, role, member_id, invited_by } = invitation
  const known = await findMember(trx, workspaceId, email)
  const memberId = known?.member_id ?? member_id
  const unit = units.within(trx, { workspaceId, actor: { is: 'member', memberId } })
  const { at } = unit
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set({ accepted_at: at })
    .where('invitation_id', '=', invitation_id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw invalid()
  await revokeLinks(trx, { now: () => Date.parse(at) }, { purpose: 'invitation', subject: invitation_id })
  if (known === undefined) {
    await unit.insert(workspaceTables.members, {
      member_id,
      email,
      role,
      confirmed_at: invited_by === 'member' ? null : at,
    })
    await unit.record('member.joined', member_id, { email, role, invitation_id })
  } else if (invited_by !== 'member') await confirmOperator(unit, known)
  return memberId
}

const invalid = (): Refusal =>
  new Refusal('invitation_invalid', 'This link is no longer valid. Ask for a new invitation.')
