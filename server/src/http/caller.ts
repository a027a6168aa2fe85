import type { CiClaims } from '@kitseal/kit/internal'
import type { onRequestHookHandler } from 'fastify'
import type { MemberRole, SignInMethod } from '../database/schema.ts'
import type { CallerActor } from '../runtime/actor.ts'
import type { MemberId, SessionId, WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { Plan } from '../settings/plan.ts'

/** From the lowest to the highest: each may do what those before it may. */
export const MEMBER_ROLES = ['viewer', 'member', 'manager', 'owner'] as const satisfies readonly MemberRole[]

/** What an API key may do. */
export const SCOPES = ['submit', 'read', 'requests', 'shares', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  submit: 'Create submissions and upload evidence.',
  read: 'Read everything that is not a secret.',
  requests: 'Ask suppliers for evidence, and run programs.',
  shares: 'Create and revoke shares.',
  admin: 'Manage API keys, webhooks, profiles and federations; place holds, delete and re-issue.',
}

/** Keys that are created without naming scopes. */
export const DEFAULT_SCOPES: readonly Scope[] = ['submit', 'read']

/** As stored: separated by spaces. */
export const writeScopes = (scopes: readonly Scope[]): string =>
  SCOPES.filter((scope) => scopes.includes(scope)).join(' ')

export function readScopes(text: string): readonly Scope[] {
  const names = text.split(' ')
  return SCOPES.filter((scope) => names.includes(scope))
}

export type Caller = { readonly is: 'anyone' } | WorkspaceCaller

export interface WorkspaceCaller {
  readonly is: 'workspace'
  readonly workspaceId: WorkspaceId
  readonly actor: CallerActor
  readonly plan: Plan
  /** Of the API key. Undefined for members and links. */
  readonly scopes?: readonly Scope[]
  /** Of the API key that was sent. Undefined for members and links. */
  readonly key?: CallerKey
  /** Of the member. Undefined for keys and links. */
  readonly session?: MemberSession
}

interface CallerKey {
  readonly label: string
  /** If the key was issued for the token of a CI system: what that token says. */
  readonly ci: CiClaims | null
  readonly userAgent?: string | undefined
  readonly expiresAt: string | null
}

/** A member who is signed in to the console. */
export interface MemberSession {
  readonly sessionId: SessionId
  readonly memberId: MemberId
  readonly email: string
  readonly role: MemberRole
  readonly method: SignInMethod
  readonly createdAt: string
  readonly endsAt: string
  /** Whether the person looks after the service. */
  readonly isOperator: boolean
}

export const ANYONE: Caller = { is: 'anyone' }

/** Returns the owner of the API key of a request, or undefined if it is not valid. */
export type Authenticate = (apiKey: string, userAgent?: string) => Promise<WorkspaceCaller | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** The workspace that a request acts for. Throws without one, or if its plan has no API access. */
export function workspaceOf(caller: Caller): WorkspaceCaller {
  if (caller.is === 'anyone') {
    throw new Refusal('api_key_required', 'Send the API key of your workspace in X-API-Key.')
  }
  if (!caller.plan.apiAccess) throw planRefusal()
  return caller
}

export const planRefusal = (): Refusal =>
  new Refusal(
    'api_access_off',
    "This workspace's plan does not include API access. Ask the operator to enable it.",
  )

/** Rejects callers without a workspace before the body is read. */
export const requireWorkspace: onRequestHookHandler = (request, _reply, done) => {
  try {
    workspaceOf(request.caller)
    done()
  } catch (error) {
    done(error as Error)
  }
}
