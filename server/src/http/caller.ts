import type { onRequestHookHandler } from 'fastify'
import type { ApiKeyId, MemberId, WorkspaceId } from '../identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { Plan } from '../plan.ts'

/** Who sends a request. */
export type Caller = { readonly is: 'anyone' } | WorkspaceCaller

export interface WorkspaceCaller {
  readonly is: 'workspace'
  readonly workspaceId: WorkspaceId
  readonly actor: CallerActor
  readonly plan: Plan
}

/** The API key, or the member signed in to the console, that acts for a workspace. */
export type CallerActor =
  | { readonly is: 'key'; readonly keyId: ApiKeyId }
  | { readonly is: 'member'; readonly memberId: MemberId }

export const ANYONE: Caller = { is: 'anyone' }

/** Whose key this is; undefined where it is nobody's. */
export type Authenticate = (apiKey: string) => Promise<WorkspaceCaller | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** The workspace that a request acts for; refused where none does, or where its plan has no API access. */
export function workspaceOf(caller: Caller): WorkspaceCaller {
  if (caller.is === 'anyone') {
    throw new Refusal('api_key_required', 'Send the API key of your workspace in X-API-Key.')
  }
  if (!caller.plan.apiAccess) {
    throw new Refusal('api_access_off', "This workspace's plan has no API access. Ask the operator for it.")
  }
  return caller
}

/** Who may not ask is told so before the body is read, whatever it holds. */
export const onlyWorkspaces: onRequestHookHandler = (request, _reply, done) => {
  try {
    workspaceOf(request.caller)
    done()
  } catch (error) {
    done(error as Error)
  }
}
