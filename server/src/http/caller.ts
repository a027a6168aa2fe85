import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { MaybePromise } from '../database/prepared.ts'
import type { ApiKeyId, LinkId, MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { Plan } from '../settings/plan.ts'
import type { Scope } from './scopes.ts'

export type Caller = { readonly is: 'anyone' } | WorkspaceCaller

export interface WorkspaceCaller {
  readonly is: 'workspace'
  readonly workspaceId: WorkspaceId
  readonly actor: CallerActor
  readonly plan: Plan
  /** Of the API key. Undefined for members and links, which have permissions of their own. */
  readonly scopes?: readonly Scope[]
}

/** Who acts for a workspace: an API key, a member signed in to the console, or a supplier with the link of a request. */
export type CallerActor =
  | { readonly is: 'key'; readonly keyId: ApiKeyId }
  | { readonly is: 'member'; readonly memberId: MemberId }
  | { readonly is: 'link'; readonly linkId: LinkId }

export const ANYONE: Caller = { is: 'anyone' }

/** Returns the owner of the API key of a request, or undefined if it is not valid. */
export type Authenticate = (apiKey: string, request: FastifyRequest) => Promise<WorkspaceCaller | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** The caller of a route that also accepts the session of a member. Without a cookie it needs no promise. */
export type ResolveCaller = (request: FastifyRequest) => MaybePromise<Caller>

/** The workspace that a request acts for. Throws without one, or if its plan has no API access. */
export function workspaceOf(caller: Caller): WorkspaceCaller {
  if (caller.is === 'anyone') {
    throw new Refusal('api_key_required', 'Send the API key of your workspace in X-API-Key.')
  }
  if (!caller.plan.apiAccess) {
    throw new Refusal(
      'api_access_off',
      "This workspace's plan does not include API access. Ask the operator to enable it.",
    )
  }
  return caller
}

/** Rejects callers without a workspace before the body is read. */
export const requireWorkspace: onRequestHookHandler = (request, _reply, done) => {
  try {
    workspaceOf(request.caller)
    done()
  } catch (error) {
    done(error as Error)
  }
}
