import type { FastifyRequest } from 'fastify'
import type { ResolveSession } from '../http/admission.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import { Refusal } from '../refusals.ts'
import { type ConsolePlace, isSafe, isSameOrigin, rejectOtherSites, sessionCookie } from './console-place.ts'
import type { SessionUse, ConsoleSession, Sessions } from './sessions.ts'

/** Sent with background polling, which does not extend the session. */
const BACKGROUND_HEADER = 'x-console-background'
/** Its response begins before the session ends. */
const STREAM = '/v1/events/stream'

const STOLEN =
  'Your session was ended, because an older copy of it was used. Someone else may have it. Sign in again and check your sessions.'

export interface SessionContext {
  readonly sessions: Sessions
  readonly sessionUse: SessionUse
  place(): ConsolePlace
}

/**
 * Finds the member whose session a request carries. A cookie that is not valid is ignored, because browsers send it anyway. A
 * change by a session must come from a page of the console, and another site does not get to use a session for reading either.
 */
export function resolveSession({ sessions, sessionUse, place }: SessionContext): ResolveSession {
  return (request, reply) => {
    const { cookie: header } = request.headers
    if (header === undefined) return undefined
    const { config, url } = request.routeOptions
    const { access } = config
    if (access === undefined || access.role === 'anyone') return undefined
    const cookie = sessionCookie(place())
    const sent = cookie.read(header)
    if (sent === undefined || (isSafe(request) && !isSameOrigin(request, place()))) return undefined

    const find = async (): Promise<WorkspaceCaller | undefined> => {
      const isStream = url === STREAM
      const found = await sessions.authenticate(sent, !isStream)
      if (found === undefined) {
        if (access.scope !== 'session') return undefined
        reply.header('set-cookie', cookie.clear())
        if (await sessions.isStolen(sent)) throw new Refusal('session_stolen', STOLEN)
        return undefined
      }
      rejectOtherSites(request, place())
      const { session, secret } = found
      if (secret !== undefined) reply.header('set-cookie', cookie.set(secret, sessions.limits.wholeMs / 1000))
      if (request.headers[BACKGROUND_HEADER] === undefined && !isStream) sessionUse.seen(session.sessionId)
      return session.caller
    }
    return find()
  }
}

/** The session of a request to a route that needs one. */
export function sessionOf({ caller }: Pick<FastifyRequest, 'caller'>): ConsoleSession {
  if (caller.is === 'anyone' || caller.session === undefined) throw new Error('this route has no session')
  return { ...caller.session, workspaceId: caller.workspaceId, caller }
}
