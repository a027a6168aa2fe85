import type { FastifyRequest } from 'fastify'
import type { Caller, ResolveCaller } from '../http/caller.ts'
import type { ConsoleServices } from './console-services.ts'
import { sessionCookie } from '../access/session-cookie.ts'

/**
 * A member who is signed in to the console sees the jobs and kits of the workspace, as its API key does. For reading only:
 * the cookie is SameSite=Strict, and it is not rotated here. A cookie that is not valid is ignored, because browsers send it
 * anyway.
 */
export function resolveCaller(services: ConsoleServices): ResolveCaller {
  const { sessions, sessionUse, place, isWithinRate } = services

  const memberOr = async (request: FastifyRequest, sent: string): Promise<Caller> => {
    const found = await sessions.authenticate(sent, false)
    if (found === undefined) return request.caller
    Object.defineProperty(request, 'caller', { value: found.session.caller })
    const refusal = isWithinRate(request)
    if (refusal !== undefined) throw refusal
    sessionUse.seen(found.session.sessionId)
    return request.caller
  }

  return (request) => {
    const { cookie } = request.headers
    if (cookie === undefined || request.caller.is === 'workspace') return request.caller
    const sent = sessionCookie(place()).read(cookie)
    return sent === undefined ? request.caller : memberOr(request, sent)
  }
}
