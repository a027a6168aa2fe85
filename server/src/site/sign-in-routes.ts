import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SignInMethod } from '../database/console-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { MemberId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { browserName } from '../access/browser-name.ts'
import type { ConsoleServices } from './console-services.ts'
import {
  AcceptBody,
  EmptyBody,
  RegistrationBody,
  SignInBody,
  SwitchBody,
  TokenBody,
} from './console-schemas.ts'
import { me } from './me.ts'
import { changePerson, confirmAddress } from '../access/members.ts'
import { changeWorkspace } from '../access/workspaces.ts'
import { findMember, membershipsOf } from '../access/member-queries.ts'
import { addPasskey, passkeysOf } from '../access/passkey-store.ts'
import { failed } from '../access/passkeys.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'
import { openBySso, rejectSsoAddress, signsInWithSso } from '../access/single-sign-on.ts'
import { sessionCookie } from '../access/console-place.ts'
import type { ConsoleSession } from '../access/sessions.ts'
import { sessionOf } from '../access/resolve-session.ts'

/** Sign-in by invitation link and by passkey. */
export function registerSignInRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { db, clock, invitations, passkeys } = services

  const describe = { schema: { body: TokenBody, ...returns('OpenInvitation') } }
  scope.post<{ Body: TokenBody }>(
    '/invitation',
    describe,
    async (request): Promise<ConsoleResponse<'OpenInvitation'>> => {
      const found = await invitations.find(request.body.token)
      const [workspace, member] = await Promise.all([
        services.workspaces.find(found.workspace_id),
        findMember(db, found.workspace_id, found.email),
      ])
      return {
        email: found.email,
        workspace: {
          workspace_id: found.workspace_id,
          name: workspace?.name ?? '',
          named_by: workspace?.named_by ?? 'service',
        },
        role: found.role,
        expires_at: found.expires_at,
        purpose: member === undefined ? 'join' : 'sign_in',
        sso_required: services.oidc !== undefined && (await signsInWithSso(db, found.email)),
      }
    },
  )

  const register = { schema: { body: RegistrationBody } }
  scope.post<{ Body: RegistrationBody }>('/invitation/options', register, async (request) => {
    const { invitation_id, workspace_id, email } = await invitations.find(request.body.token)
    await rejectSsoAddress(services, db, email)
    const [workspace, member] = await Promise.all([
      services.workspaces.find(workspace_id),
      findMember(db, workspace_id, email),
    ])
    const known = member === undefined ? [] : await passkeysOf(db, member.member_id)
    const named = { email: request.body.email ?? email, workspace: workspace?.name ?? '' }
    return passkeys.startRegistration({ id: invitation_id, ...named, known })
  })

  const accept = { schema: { body: AcceptBody, ...returns('Me') } }
  scope.post<{ Body: AcceptBody }>('/invitation/accept', accept, async (request, reply) => {
    const { token, ceremony, response, workspace_name: name } = request.body
    if ((ceremony == null) !== (response == null))
      throw new Refusal('body_invalid', 'Send both ceremony and response, or neither.')
    const invitation = await invitations.find(token)
    if (name != null && invitation.role !== 'owner')
      throw new Refusal('role_insufficient', 'Only an owner can name the workspace.')
    const made =
      ceremony == null || response == null
        ? undefined
        : await passkeys.register(invitation.invitation_id, ceremony, response)
    const label = request.body.label ?? browserName(request.headers['user-agent'])
    return signIn(services, request, reply, 'link', async (trx) => {
      for (const email of [invitation.email, request.body.email ?? invitation.email])
        await rejectSsoAddress(services, trx, email)
      const memberId = await invitations.accept(trx, invitation)
      const owner = { memberId, workspaceId: invitation.workspace_id }
      if (made !== undefined) await addPasskey(trx, clock, owner, made, label)
      await changePerson(trx, clock, owner, request.body)
      if (invitation.invited_by === 'service') await confirmAddress(trx, clock, memberId)
      if (name != null)
        await changeWorkspace(trx, clock, owner.workspaceId, { name }, { is: 'member', memberId })
      return memberId
    })
  })

  scope.post('/sign-in/options', { schema: { body: EmptyBody } }, () => passkeys.startSignIn())

  const signInOptions = { schema: { body: SignInBody, ...returns('Me') } }
  scope.post<{ Body: SignInBody }>('/sign-in', signInOptions, async (request, reply) => {
    const { ceremony, response } = request.body
    const { memberId, record } = await passkeys.signIn(ceremony, response)
    return signIn(services, request, reply, 'passkey', async (trx) => {
      if (!(await record(trx))) throw failed(undefined)
      return memberId
    })
  })
}

/** Starts a session in the transaction that authenticates the member, and ends the browser's previous session. */
export async function beginSession(
  { db, sessions, place }: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
  method: SignInMethod,
  who: (trx: Db) => Promise<MemberId>,
  continues?: ConsoleSession,
): Promise<string> {
  const browser = browserName(request.headers['user-agent'])
  const cookie = sessionCookie(place())
  const before = await sessions.authenticate(cookie.read(request.headers.cookie), false)
  const secret = await transact(db, async (trx) =>
    sessions.begin(trx, {
      memberId: await who(trx),
      method,
      browser,
      ...(continues === undefined ? {} : { continues }),
    }),
  )
  if (before !== undefined) await sessions.end(before.session, { only: before.session.sessionId })
  reply.header('set-cookie', cookie.set(secret, sessions.limits.wholeMs / 1000))
  return secret
}

export async function signIn(
  services: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
  method: SignInMethod,
  who: (trx: Db) => Promise<MemberId>,
  continues?: ConsoleSession,
): Promise<ConsoleResponse<'Me'>> {
  const secret = await beginSession(services, request, reply, method, who, continues)
  const started = await services.sessions.authenticate(secret, false)
  if (started === undefined) throw new Error('the new session has already ended')
  return me(services, started.session)
}

/** Continues a session in another workspace of the same person. */
export function registerSwitchRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const options = { schema: { body: SwitchBody, ...returns('Me') } }
  scope.post<{ Body: SwitchBody }>('/switch', options, (request, reply) => {
    const session = sessionOf(request)
    return signIn(
      services,
      request,
      reply,
      session.method,
      async (trx) => {
        const found = (await membershipsOf(trx, session)).find(
          ({ workspace_id }) => workspace_id === request.body.workspace_id,
        )
        if (found === undefined)
          throw new Refusal('member_not_found', 'You cannot switch to this workspace. Sign in to it instead.')
        if (session.method !== 'oidc') return found.member_id
        return openBySso(services, trx, session.email, found.workspace_id)
      },
      session,
    )
  })
}
