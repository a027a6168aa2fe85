import type { Log } from '../runtime/logger.ts'
import type { RequestContext } from '../requests/request-routes.ts'
import { apiKeys } from '../access/api-keys.ts'
import { workspaces } from '../access/workspaces.ts'
import { ceremonies } from '../access/ceremonies.ts'
import { consolePlace } from '../access/console-place.ts'
import { invitations } from '../access/invitations.ts'
import { oidc } from '../access/oidc.ts'
import { passkeys } from '../access/passkeys.ts'
import { watchSessionUse, sessions } from '../access/sessions.ts'
import type { ConsoleResponse } from './response-schemas.ts'

export interface ConsoleContext extends RequestContext {
  readonly log: Log
  serviceStatus(): Promise<ConsoleResponse<'ServiceStatus'>>
}

export type ConsoleServices = ReturnType<typeof consoleServices>

export function consoleServices(ctx: ConsoleContext) {
  const { db, clock, identifiers, config } = ctx
  const place = () => consolePlace(ctx.issuer())
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
    passkeys: passkeys({ db, clock, ceremonies: store, place }),
    keys: apiKeys(db, clock),
    workspaces: workspaces({ db, clock, identifiers }),
    oidc: config.oidc === undefined ? undefined : oidc(config.oidc, store, place),
  }
}
