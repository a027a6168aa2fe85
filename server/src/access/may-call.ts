import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Rule } from '../http/admission.ts'
import { type Caller, MEMBER_ROLES, planRefusal, requireWorkspace, type Scope } from '../http/caller.ts'
import { Refusal } from '../refusals.ts'
import type { Access } from '../http/route.ts'

/** Every route that is registered after it has to say who may call it. Rejects callers without a workspace there. */
export function lookUpAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!/^\/(?:v1|console\/api)\//.test(route.url)) return
    const access = route.config?.access
    if (access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
    if (access.scope === 'session' || access.role === 'anyone' || access.isOpen === true) return
    route.onRequest = [requireWorkspace, ...[route.onRequest ?? []].flat()]
  })
}

/** Rejects a key without the scope of the route and a member without its role, before the body is read. */
export const mayCall: Rule = ({ caller, routeOptions }: FastifyRequest) => {
  const { access } = routeOptions.config
  if (access === undefined) return undefined
  const refusal = refusalOf(caller, access)
  return refusal === undefined || access.ofDrafts === undefined
    ? refusal
    : refusalOf(caller, access.ofDrafts) && refusal
}

/** For what a draft does not need. */
export function requireFullAccess({ caller, routeOptions }: FastifyRequest): void {
  const { access } = routeOptions.config
  const refusal = access && refusalOf(caller, access)
  if (refusal !== undefined) throw refusal
}

export const isAllowed = (caller: Caller, access: Access): boolean => refusalOf(caller, access) === undefined

/** A key cannot hand out scopes that it does not have. */
export function requireScopes(caller: Caller, scopes: readonly Scope[]): void {
  const refusal = missingScopes(caller, scopes)
  if (refusal !== undefined) throw refusal
}

function refusalOf(caller: Caller, { scope, role }: Access): Refusal | undefined {
  if (role === 'anyone') return undefined
  if (scope === 'session') return sessionRefusal(caller, role) ?? roleRefusal(caller, role)
  if (scope === 'none' || caller.is === 'anyone') return undefined
  return caller.session === undefined ? missingScopes(caller, [scope]) : roleRefusal(caller, role)
}

type MemberAccess = Exclude<Access['role'], 'anyone'>

function sessionRefusal(caller: Caller, needed: MemberAccess): Refusal | undefined {
  if (caller.is === 'anyone')
    return new Refusal('session_required', 'You are not signed in, or your session has ended. Sign in.')
  if (caller.session === undefined)
    return new Refusal('session_required', 'The console does not accept API keys. Sign in.')
  return needed === 'self' || needed === 'operator' || caller.plan.apiAccess ? undefined : planRefusal()
}

function roleRefusal(caller: Caller, needed: MemberAccess): Refusal | undefined {
  if (needed === 'self' || caller.is === 'anyone' || caller.session === undefined) return undefined
  const { role, isOperator } = caller.session
  if (needed === 'operator')
    return isOperator
      ? undefined
      : new Refusal('role_insufficient', 'Only operators of this service may do this.')
  return MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(needed)
    ? undefined
    : new Refusal('role_insufficient', `Your role (${role}) does not allow this. Ask an owner.`)
}

function missingScopes(caller: Caller, wanted: readonly Scope[]): Refusal | undefined {
  if (caller.is === 'anyone' || caller.scopes === undefined) return undefined
  const { scopes } = caller
  const lacking = wanted.filter((scope) => !scopes.includes(scope))
  if (lacking.length === 0) return undefined
  const names = lacking.map((scope) => `\`${scope}\``).join(', ')
  return new Refusal(
    'scope_missing',
    `This API key does not have the scope ${names}. It has: ${scopes.join(', ')}. Use a key with that scope.`,
  )
}
