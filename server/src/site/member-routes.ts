import { Type } from 'typebox'
import { invitationLink } from '../access/console-place.ts'
import { keyNotFound } from '../access/key-routes.ts'
import { listMembers, MEMBER_ROLES } from '../access/member-queries.ts'
import { sessionOf, type ConsoleSession } from '../access/sessions.ts'
import { sends } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Email, OneOf, Nullable } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { Actor } from '../runtime/actor.ts'
import type { ApiKeyId, InvitationId } from '../runtime/identifiers.ts'
import type { ConsoleServices } from './console-services.ts'
import { returns, type ConsoleResponse } from './response-schemas.ts'
import { timestamp } from '../runtime/clock.ts'
import { actorText } from '../submissions/provenance-report.ts'
import { revokeInvitations } from '../access/invitations.ts'
import { changeRole, memberOf, removeMember } from '../access/members.ts'
import { labelOf, sharesWithReceipts } from '../shares/share.ts'

const DAY_MS = 86_400_000
const access = { scope: 'session', role: 'owner' } as const

/** The people of a workspace, and those who are invited. */
export const memberRoutes = [
  route('listMembers', 'GET /members', {
    access: { scope: 'session', role: 'viewer' },
    returns: returns('MemberList'),
    async run({ db, invitations }: ConsoleServices, call) {
      const { workspaceId, memberId } = sessionOf(call)
      const [all, open] = await Promise.all([listMembers(db, workspaceId), invitations.open(workspaceId)])
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
    async run({ invitations, place }: ConsoleServices, call) {
      const session = sessionOf(call)
      const invited = { workspaceId: session.workspaceId, ...call.body }
      const made = await invitations.invite(invited, actorOf(session))
      const { invitationId: invitation_id, email, role, expiresAt: expires_at, token } = made
      return {
        invitation: { invitation_id, email, role, expires_at, invited_by: session.email },
        link: invitationLink(place(), token),
      }
    },
  }),
  route('revokeInvitation', 'POST /invitations/:invitation_id/revoke', {
    access,
    async handle(unit, { params }) {
      if (!(await revokeInvitations(unit, { id: params.invitation_id as InvitationId })))
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
    run: (services: ConsoleServices, call) => leaving(services, sessionOf(call), call.params.member_id),
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
    async run({ keys }: ConsoleServices, call) {
      const session = sessionOf(call)
      const keyId = call.params.key_id as ApiKeyId
      const { expires_days: days } = call.body
      const isOwn = (await keys.find(keyId))?.workspace_id === session.workspaceId
      const livesMs = days === null ? undefined : days * DAY_MS
      if (!isOwn || !(await keys.extend(keyId, livesMs, actorOf(session)))) throw keyNotFound()
    },
  }),
]

const actorOf = ({ memberId }: ConsoleSession): Extract<Actor, { is: 'member' }> => ({
  is: 'member',
  memberId,
})

const MAX_LISTED = 100

/** What a member leaves behind: credentials to keep or revoke, and what they or their keys gave to others. */
async function leaving(
  { db, clock, keys, invitations }: ConsoleServices,
  { workspaceId }: ConsoleSession,
  id: string,
): Promise<ConsoleResponse<'Leaving'>> {
  const { member_id: memberId, email } = await memberOf(db, workspaceId, id)
  const now = timestamp(clock.now())
  const isActive = (row: { readonly expires_at: string | null }): boolean =>
    row.expires_at === null || row.expires_at > now
  const own = (await keys.list(workspaceId)).filter(({ created_by }) => created_by === memberId)
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
    invitations: (await invitations.open(workspaceId)).filter(
      (row) => row.inviting_member === memberId || row.email === email,
    ),
    shares: shares.map((row) => Object.assign(row, { label: labelOf(row) })),
    requests,
  }
}
