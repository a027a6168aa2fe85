import { type Clock, timestamp } from '../runtime/clock.ts'
import type { InvitationsTable, MemberRole } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import type { Unit } from '../database/unit.ts'
import { transact } from '../database/transact.ts'
import type { Identifiers, InvitationId, MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { type Mail, readersOf } from '../deliveries/mail.ts'
import { phrase } from '../deliveries/render-mail.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'
import { findMember, findMemberById, memberExists } from './member-queries.ts'
import { endOfMaker, makerOf } from './makers.ts'
import { confirmOperator } from './operators.ts'
import { createLink, findLink, revokeLinks } from '../database/links.ts'

export interface Invited {
  readonly workspaceId: WorkspaceId
  readonly email: string
  readonly role: MemberRole
}

export interface NewInvitation extends Invited {
  readonly invitationId: InvitationId
  /** For the link. Only its hash is stored. */
  readonly token: string
  readonly expiresAt: string
}

export type InvitationRow = InvitationsTable

type Inviting = Exclude<Actor, { is: 'key' | 'link' }>

export const INVITATION_MS = 7 * 24 * 60 * 60_000

export interface InvitationsOptions {
  readonly mail: Mail
  readonly db: Db
  readonly clock: Clock
  readonly identifiers: Pick<Identifiers, 'invitationId' | 'memberId' | 'linkId'>
}

export type Invitations = ReturnType<typeof invitations>

export function invitations(options: InvitationsOptions) {
  const { db, clock } = options
  const now = (): string => timestamp(clock.now())
  const openInvitations = (from = db) =>
    from
      .selectFrom('invitations')
      .selectAll()
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now())
  return {
    /**
     * Invites an address and revokes its open invitation. For an existing member, the link signs that member in. Only the
     * operator may do that: members get `member_exists`.
     */
    invite: (invited: Invited, actor: Inviting): Promise<NewInvitation> =>
      transact(db, (trx) => invite(trx, options, invited, actor)),
    /** Throws `invitation_invalid` if there is no open invitation with this token. */
    find: async (token: string): Promise<InvitationRow> => {
      const link = await findLink(db, clock, 'invitation', token)
      const row =
        link === undefined
          ? undefined
          : await openInvitations()
              .where('invitation_id', '=', link.subject_id as InvitationId)
              .executeTakeFirst()
      if (row === undefined) throw invalid()
      return row
    },
    open: (workspaceId: WorkspaceId): Promise<readonly InvitationRow[]> =>
      openInvitations().where('workspace_id', '=', workspaceId).orderBy('created_at', 'desc').execute(),
    /** Open invitations for an address, in all workspaces. */
    openFor: (trx: Db, email: string): Promise<readonly InvitationRow[]> =>
      openInvitations(trx).where('email', '=', email).orderBy('created_at', 'desc').execute(),
    /** Consumes the invitation in the transaction of the sign-in, and returns the member. */
    accept: (trx: Db, invitation: InvitationRow): Promise<MemberId> => accept(trx, options, invitation),
  }
}

/** Revokes open invitations: one, those for an address, or those that a member made. */
export async function revokeInvitations(unit: Unit, which: Which): Promise<boolean> {
  const revoked = await revokeOpen(unit.db, unit.at, unit.workspaceId, which)
  for (const { invitation_id, email } of revoked)
    await unit.record('invitation.revoked', invitation_id, { email })
  return revoked.length > 0
}

type Which = { readonly email: string } | { readonly id: InvitationId } | { readonly inviter: MemberId }

export async function invite(
  trx: Db,
  options: InvitationsOptions,
  invited: Invited,
  actor: Inviting,
  template: 'invitation' | 'access_reset' = 'invitation',
): Promise<NewInvitation> {
  const { clock, identifiers } = options
  const { workspaceId } = invited
  const email = invited.email.toLowerCase()
  const invitationId = identifiers.invitationId()
  const at = timestamp(clock.now())
  const member = await findMember(trx, workspaceId, email)
  // The link signs in as that member, so only the operator may create it.
  if (member !== undefined && actor.is === 'member') throw memberExists()
  const role = member?.role ?? invited.role
  const details = { email, role, ...(member === undefined ? {} : { member_id: member.member_id }) }
  const event = { workspaceId, actor, subject: invitationId, details, at }
  await recordEvent(trx, { ...event, action: 'member.invited' })
  await endOfMaker(trx, makerOf(actor), at)
  await revokeOpen(trx, at, workspaceId, { email })
  const expiresAt = timestamp(clock.now() + INVITATION_MS)
  await trx
    .insertInto('invitations')
    .values({
      invitation_id: invitationId,
      workspace_id: workspaceId,
      email,
      role,
      member_id: member?.member_id ?? (await reservedFor(trx, workspaceId, email)) ?? identifiers.memberId(),
      invited_by: actor.is,
      inviting_member: actor.is === 'member' ? actor.memberId : null,
      created_at: at,
      expires_at: expiresAt,
      accepted_at: null,
      revoked_at: null,
    })
    .execute()
  const link = { workspaceId, purpose: 'invitation', subject: invitationId, expiresAt } as const
  const { token } = await createLink(trx, options, link)
  await mailInvitation(
    trx,
    options,
    { ...invited, email, role, invitationId, token, expiresAt },
    actor,
    template,
  )
  return { invitationId, workspaceId, email, role, token, expiresAt }
}

/** Of an earlier invitation that nobody accepted: what was given to the person stays theirs. */
async function reservedFor(trx: Db, workspaceId: WorkspaceId, email: string): Promise<MemberId | undefined> {
  const earlier = await trx
    .selectFrom('invitations')
    .select('member_id')
    .where('workspace_id', '=', workspaceId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members')
            .select('members.member_id')
            .whereRef('members.member_id', '=', 'invitations.member_id'),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return earlier?.member_id
}

/** The operator who starts the service first has no address. */
async function mailInvitation(
  trx: Db,
  { mail }: InvitationsOptions,
  { workspaceId, email, role, invitationId, token, expiresAt }: NewInvitation,
  actor: Inviting,
  template: 'invitation' | 'access_reset',
): Promise<void> {
  if (!mail.isOn || actor.is === 'service') return
  const { workspace } = await readersOf(trx, workspaceId)
  const inviting = actor.is === 'member' ? await findMemberById(trx, actor.memberId) : undefined
  const common = { workspace, link: `/console/invite#${token}`, expires: expiresAt }
  const message = { to: email, workspaceId, dedupe: invitationId }
  const operator = actor.is === 'operator' ? (actor.email ?? '') : ''
  await (template === 'access_reset'
    ? mail.send(trx, { ...message, template, data: { ...common, operator } })
    : mail.send(trx, {
        ...message,
        template,
        data: {
          ...common,
          role: phrase(`mail.phrase.${role}`),
          inviter: inviting?.email ?? phrase('mail.phrase.operator'),
        },
      }))
}

async function revokeOpen(trx: Db, at: string, workspaceId: WorkspaceId, which: Which) {
  const revoked = await trx
    .updateTable('invitations')
    .set({ revoked_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where((eb) => {
      if ('id' in which) return eb('invitation_id', '=', which.id)
      return 'email' in which ? eb('email', '=', which.email) : eb('inviting_member', '=', which.inviter)
    })
    .returning(['invitation_id', 'email'])
    .execute()
  for (const { invitation_id: subject } of revoked)
    await revokeLinks(trx, { now: () => Date.parse(at) }, { purpose: 'invitation', subject })
  return revoked
}

async function accept(
  trx: Db,
  { clock }: InvitationsOptions,
  { invitation_id, workspace_id: workspaceId, email, role, member_id: memberId, invited_by }: InvitationRow,
): Promise<MemberId> {
  const at = timestamp(clock.now())
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set({ accepted_at: at })
    .where('invitation_id', '=', invitation_id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw invalid()
  await revokeLinks(trx, clock, { purpose: 'invitation', subject: invitation_id })
  const known = await findMember(trx, workspaceId, email)
  if (known !== undefined) {
    if (invited_by !== 'member') await confirmOperator(trx, known, at)
    return known.member_id
  }
  await trx
    .insertInto('members')
    .values({
      member_id: memberId,
      workspace_id: workspaceId,
      email,
      name: null,
      role,
      created_at: at,
      removed_at: null,
      sso_at: null,
      confirmed_at: invited_by === 'member' ? null : at,
    })
    .execute()
  const event = { workspaceId, actor: { is: 'member', memberId }, subject: memberId } as const
  await recordEvent(trx, { ...event, action: 'member.joined', details: { email, role, invitation_id }, at })
  return memberId
}

const invalid = (): Refusal =>
  new Refusal('invitation_invalid', 'This link is no longer valid. Ask for a new invitation.')
