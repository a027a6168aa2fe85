import { Type } from 'typebox'
import { invitationLink } from '../access/console-place.ts'
import { extendKey, listKeys } from '../access/api-keys.ts'
import { listMembers } from '../access/member-queries.ts'
import { MEMBER_ROLES } from '../http/caller.ts'
import { sessionOf } from '../access/sessions.ts'
import { sends } from '../http/resource.ts'
import type { Reader } from '../database/unit.ts'
import { route } from '../http/route.ts'
import type { Clock } from '../runtime/clock.ts'
import { Email, OneOf, Nullable } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { InvitationId } from '../runtime/identifiers.ts'
import type { ConsoleServices } from './console-services.ts'
import { returns, type ConsoleResponse } from './response-schemas.ts'
import { actorText } from '../submissions/provenance-report.ts'
import { invitationsOf, invite, revokeInvitations } from '../access/invitations.ts'
import { changeRole, memberOf, removeMember } from '../access/members.ts'
import { labelOf, sharesWithReceipts } from '../shares/share.ts'

const DAY_MS = 86_400_000
const access = { scope: 'session', role: 'owner' } as const

/** The people of a workspace, and those who are invited. */
export const memberRoutes = [
  route('listMembers', 'GET /members', {
    access: { scope: 'session', role: 'viewer' },
    returns: returns('MemberList'),
    async run({ db, clock }: ConsoleServices, call) {
      const { workspaceId, memberId } = sessionOf(call)
      const [all, open] = await Promise.all([
        listMembers(db, workspaceId),
        invitationsOf(db, clock, workspaceId),
      ])
      const emailOf = new Map(all.map(({ member_id, email }) => [member_id, email]))
      return {
        members: all.map((row) => Object.assign(row, { you: row.member_id === memberId })),
        invitations: open.map((row) => {
          const inviting = row.inviting_member === null ? undefined : emailOf.get(row.inviting_member)
          return Object.assign(row, { invited_by: inviting ?? row.invited_by })
        }),
      }
    },
  }),
  route('createInvitation', 'POST /invitations', {
    access,
    body: sends({ email: Email(), role: OneOf(MEMBER_ROLES) }),
    returns: returns('NewInvitation'),
    async handle(unit, call, services: ConsoleServices) {
      const made = await invite(unit, services, call.body)
      const { invitationId: invitation_id, email, role, expiresAt: expires_at, token } = made
      return {
        invitation: { invitation_id, email, role, expires_at, invited_by: sessionOf(call).email },
        link: invitationLink(services.place(), token),
      }
    },
  }),
  route('revokeInvitation', 'POST /invitations/:invitation_id/revoke', {
    access,
    async handle(unit, { params }) {
      if (!(await revokeInvitations(unit, { invitation_id: params.invitation_id as InvitationId })))
        throw new Refusal(
          'invitation_not_found',
          'Invitation not found in this workspace. It may have been accepted, revoked or expired.',
        )
    },
  }),
  route('changeMember', 'PATCH /members/:member_id', {
    access,
    body: sends({ role: OneOf(MEMBER_ROLES) }),
    returns: returns('ChangedMember'),
    async handle(unit, { params, body, request }) {
      const changed = await changeRole(unit, params.member_id, body.role)
      return { member: { ...changed, you: changed.member_id === sessionOf(request).memberId } }
    },
  }),
  route('getLeaving', 'GET /members/:member_id/leaving', {
    access,
    returns: returns('Leaving'),
    read: (reader, { params }, { clock }: ConsoleServices) => leaving(reader, clock, params.member_id),
  }),
  route('removeMember', 'DELETE /members/:member_id', {
    access,
    /** Keys and federations, separated by commas. */
    query: { keep: Type.Optional(Type.String({ maxLength: 7000 })) },
    handle: (unit, { params, query }) => removeMember(unit, params.member_id, query.keep?.split(',')),
  }),
  // Not part of the API: only a person extends a key.
  route('extendApiKey', 'PATCH /keys/:key_id', {
    access,
    body: sends({ expires_days: Nullable(Type.Integer({ minimum: 1, maximum: 36_500 })) }),
    handle: (unit, { params, body: { expires_days: days } }) =>
      extendKey(unit, params.key_id, days === null ? undefined : days * DAY_MS),
  }),
]

const MAX_LISTED = 100

/** What a member leaves behind: credentials to keep or revoke, and what they or their keys gave to others. */
async function leaving(reader: Reader, clock: Clock, id: string): Promise<ConsoleResponse<'Leaving'>> {
  const { db, workspaceId, at: now } = reader
  const { member_id: memberId, email } = await memberOf(reader, id)
  const isActive = (row: { readonly expires_at: string | null }): boolean =>
    row.expires_at === null || row.expires_at > now
  const own = (await listKeys(reader)).filter(({ created_by }) => created_by === memberId)
  const shares = await sharesWithReceipts(db)
    .where('shares.workspace_id', '=', workspaceId)
    .where('shares.created_by', 'in', [memberId, ...own.map(({ key_id }) => key_id)])
    .where('shares.revoked_at', 'is', null)
    .where('shares.expires_at', '>', now)
    .limit(MAX_LISTED)
    .execute()
  const makers = [
    actorText({ is: 'member', memberId }),
    ...own.map(({ key_id: keyId }) => actorText({ is: 'key', keyId })),
  ]
  const requests = await db
    .selectFrom('requests')
    .select(['request_id as evidence_request_id', 'title'])
    .where('workspace_id', '=', workspaceId)
    .where('created_by', 'in', makers)
    .where('program_id', 'is', null)
    .where('closed_at', 'is', null)
    .limit(MAX_LISTED)
    .execute()
  const federations = await db
    .selectFrom('federations')
    .select(['federation_id', 'label', 'expires_at'])
    .where('workspace_id', '=', workspaceId)
    .where('created_by', '=', memberId)
    .orderBy('created_at', 'desc')
    .execute()
  return {
    keys: own.filter((row) => row.revoked_at === null && isActive(row)),
    federations: federations.filter(isActive),
    invitations: (await invitationsOf(db, clock, workspaceId)).filter(
      (row) => row.inviting_member === memberId || row.email === email,
    ),
    shares: shares.map((row) => Object.assign(row, { label: labelOf(row) })),
    requests,
  }
}
