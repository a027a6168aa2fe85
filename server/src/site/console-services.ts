import type { Log } from '../runtime/logger.ts'
import type { RequestContext } from '../requests/request-routes.ts'
import { type ApiKeys, apiKeys } from '../access/api-keys.ts'
import { type Workspaces, workspaces } from '../access/workspaces.ts'
import { ceremonies } from '../access/ceremonies.ts'
import { type ConsolePlace, consolePlace } from '../access/console-place.ts'
import { type Invitations, invitations } from '../access/invitations.ts'
import { type Members, members } from '../access/members.ts'
import { type Oidc, oidc } from '../access/oidc.ts'
import { type Passkeys, passkeys } from '../access/passkeys.ts'
import { type SessionUse, watchSessionUse, type Sessions, sessions } from '../access/sessions.ts'
import type { ConsoleResponse } from './response-schemas.ts'

export interface ConsoleContext extends RequestContext {
  readonly log: Log
  serviceStatus(): Promise<ConsoleResponse<'ServiceStatus'>>
}

export interface ConsoleServices extends ConsoleContext {
  readonly sessions: Sessions
  readonly sessionUse: SessionUse
  readonly invitations: Invitations
  readonly members: Members
  readonly passkeys: Passkeys
  readonly keys: ApiKeys
  readonly workspaces: Workspaces
  readonly oidc: Oidc | undefined
  place(): ConsolePlace
}

export function consoleServices(ctx: ConsoleContext): ConsoleServices {
  const { db, clock, identifiers, config } = ctx
  const place = cachedPlace(ctx)
  const store = ceremonies(db, clock, identifiers)
  const sessionUse = watchSessionUse(db, clock, ctx.log)
  const limits = {
    idleMs: config.session.idleMinutes * 60_000,
    wholeMs: config.session.hours * 3_600_000,
  }
  return {
    ...ctx,
    place,
    sessionUse,
    sessions: sessions({ db, clock, identifiers, limits, use: sessionUse }),
    invitations: invitations(ctx),
    members: members(db, clock),
    passkeys: passkeys({ db, clock, ceremonies: store, place }),
    keys: apiKeys(db, clock),
    workspaces: workspaces({ db, clock, identifiers }),
    oidc: config.oidc === undefined ? undefined : oidc(config.oidc, store, place),
  }
}

/** Caches the result, because the issuer does not change once the service listens. */
function cachedPlace({ issuer }: Pick<ConsoleContext, 'issuer'>): () => ConsolePlace {
  let known: { readonly issuer: string; readonly place: ConsolePlace } | undefined
  return () => {
    const current = issuer()
    if (known?.issuer !== current) known = { issuer: current, place: consolePlace(current) }
    return known.place
  }
}
