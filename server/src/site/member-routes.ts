import type { FastifyInstance } from 'fastify'
import type { Actor } from '../runtime/actor.ts'
import { Refusal } from '../refusals.ts'
import { invitationLink } from '../access/console-place.ts'
import type { ConsoleServices } from './console-services.ts'
import { ExtensionBody, InvitationBody, MemberBody, RemovalQuery } from './console-schemas.ts'
import { leaving } from './leaving.ts'
import { sessionOf } from '../access/resolve-session.ts'
import { keyNotFound } from '../access/key-routes.ts'
import { listMembers } from '../access/member-queries.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'
import type { ConsoleSession } from '../access/sessions.ts'
import type { ApiKeyId } from '../runtime/identifiers.ts'

const DAY_MS = 86_400_000

export function registerMemberRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, members, invitations, keys, place } = services

  scope.get(
    '/members',
    { schema: returns('MemberList') },
    async (request): Promise<ConsoleResponse<'MemberList'>> => {
      const { workspaceId, memberId } = sessionOf(request)
      const [all, open] = await Promise.all([listMembers(db, workspaceId), invitations.open(workspaceId)])
      const emailOf = new Map(all.map(({ member_id, email }) => [member_id, email]))
      return {
        members: all.map(({ member_id, email, name, role, created_at, last_seen_at, passkeys }) => {
          const you = member_id === memberId
          return { member_id, email, name, role, created_at, last_seen_at, passkeys, you }
        }),
        invitations: open.map((row) => {
          const { invitation_id, email, role, created_at, expires_at } = row
          const inviting = row.inviting_member === null ? undefined : emailOf.get(row.inviting_member)
          return {
            invitation_id,
            email,
            role,
            created_at,
            expires_at,
            invited_by: inviting ?? row.invited_by,
          }
        }),
      }
    },
  )

  scope.post<{ Body: InvitationBody }>(
    '/invitations',
    { schema: { body: InvitationBody, ...returns('NewInvitation', 201) } },
    async (request, reply): Promise<ConsoleResponse<'NewInvitation'>> => {
      const session = sessionOf(request)
      const { workspaceId } = session
      const made = await invitations.invite({ workspaceId, ...request.body }, actorOf(session))
      reply.code(201)
      return {
        invitation: {
          invitation_id: made.invitationId,
          email: made.email,
          role: made.role,
          expires_at: made.expiresAt,
          invited_by: session.email,
        },
        link: invitationLink(place(), made.token),
      }
    },
  )

  scope.post<{ Params: { readonly invitation_id: string } }>(
    '/invitations/:invitation_id/revoke',
    async (request, reply) => {
      const session = sessionOf(request)
      const { invitation_id } = request.params
      if (!(await invitations.revoke(session.workspaceId, invitation_id, actorOf(session))))
        throw new Refusal(
          'invitation_not_found',
          'Invitation not found in this workspace. It may have been accepted, revoked or expired.',
        )
      return reply.code(204).send()
    },
  )

  scope.patch<{ Params: { readonly member_id: string }; Body: MemberBody }>(
    '/members/:member_id',
    { schema: { body: MemberBody, ...returns('ChangedMember') } },
    async (request): Promise<ConsoleResponse<'ChangedMember'>> => {
      const session = sessionOf(request)
      const { role } = request.body
      const changed = await members.changeRole(
        session.workspaceId,
        request.params.member_id,
        role,
        actorOf(session),
      )
      const { member_id, email, name, created_at } = changed
      return { member: { member_id, email, name, role, created_at, you: member_id === session.memberId } }
    },
  )

  scope.get<{ Params: { readonly member_id: string } }>(
    '/members/:member_id/leaving',
    { schema: returns('Leaving') },
    (request) => leaving(services, sessionOf(request), request.params.member_id),
  )

  scope.delete<{ Params: { readonly member_id: string }; Querystring: RemovalQuery }>(
    '/members/:member_id',
    { schema: { querystring: RemovalQuery } },
    async (request, reply) => {
      const session = sessionOf(request)
      const keep = request.query.keep?.split(',') ?? []
      await members.remove(session.workspaceId, request.params.member_id, actorOf(session), keep)
      return reply.code(204).send()
    },
  )

  // Not part of the API: only a person extends a key.
  scope.patch<{ Params: { readonly key_id: string }; Body: ExtensionBody }>(
    '/keys/:key_id',
    { schema: { body: ExtensionBody } },
    async (request, reply) => {
      const session = sessionOf(request)
      const keyId = request.params.key_id as ApiKeyId
      const { expires_days: days } = request.body
      const isOwn = (await keys.find(keyId))?.workspace_id === session.workspaceId
      const livesMs = days === null ? undefined : days * DAY_MS
      if (!isOwn || !(await keys.extend(keyId, livesMs, actorOf(session)))) throw keyNotFound()
      return reply.code(204).send()
    },
  )
}

const actorOf = ({ memberId }: ConsoleSession): Extract<Actor, { is: 'member' }> => ({
  is: 'member',
  memberId,
})
