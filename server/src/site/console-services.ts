import type { Log } from '../runtime/logger.ts'
import type { RequestContext } from '../requests/request-routes.ts'
import { ceremonies } from '../access/ceremonies.ts'
import { consolePlace } from '../access/console-place.ts'
import { oidc } from '../access/oidc.ts'
import { passkeys } from '../access/passkeys.ts'
import type { LastUse } from '../access/last-use.ts'
import { sessions } from '../access/sessions.ts'
import type { ConsoleResponse } from './response-schemas.ts'

export interface ConsoleContext extends RequestContext {
  readonly log: Log
  readonly lastUse: LastUse
  serviceStatus(): Promise<ConsoleResponse<'ServiceStatus'>>
}

export type ConsoleServices = ReturnType<typeof consoleServices>

export function consoleServices(ctx: ConsoleContext) {
  const { db, clock, identifiers, config } = ctx
  const place = () => consolePlace(ctx.issuer())
  const store = ceremonies(db, clock, identifiers)
  const limits = {
    idleMs: config.session.idleMinutes * 60_000,
    wholeMs: config.session.hours * 3_600_000,
  }
  return {
    ...ctx,
    place,
    sessions: sessions({ ...ctx, limits }),
    passkeys: passkeys({ ...ctx, ceremonies: store, place }),
    oidc: config.oidc === undefined ? undefined : oidc(config.oidc, store, place),
  }
}
