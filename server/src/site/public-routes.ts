import { BOUNDARY, LONG_BOUNDARY, RECEIPT_VERSION } from '@kitseal/kit'
import type { FastifyInstance } from 'fastify'
import type { SigningKeyRow } from '../keys/signing-key-queries.ts'
import { logGrowth } from '../log/log-growth.ts'
import { readLog } from '../log/log-key.ts'
import { Refusal } from '../refusals.ts'
import type { ConsoleServices } from './console-services.ts'
import { type ConsoleResponse, returns } from './response-schemas.ts'

const GROWTH_DAYS = 12

/** Public information about the service and its signing keys. */
export function registerPublicRoutes(scope: FastifyInstance, services: ConsoleServices): void {
  const { config, signingKeys, place } = services

  scope.get(
    '/public',
    { schema: returns('ServiceInfo') },
    async (): Promise<ConsoleResponse<'ServiceInfo'>> => ({
      issuer: services.issuer(),
      receipt_version: RECEIPT_VERSION,
      keys: (await signingKeys.list()).map(publicKey),
      open_intake: config.openIntake,
      profiles: [...services.profiles.keys()].toSorted(),
      console: {
        url: place().url,
        passkeys: place().passkeyDomain !== undefined,
        oidc: services.oidc === undefined ? null : { name: services.oidc.name },
      },
      boundary: BOUNDARY,
      long_boundary: LONG_BOUNDARY,
    }),
  )

  scope.get('/public/log', { schema: returns('LogInfo') }, async (): Promise<ConsoleResponse<'LogInfo'>> => {
    const log = await readLog(services.db)
    if (log === undefined) throw new Refusal('store_unavailable', 'The log is being created. Try again.')
    const days = await logGrowth(services.db, services.clock, GROWTH_DAYS)
    return { updated_at: log.updated_at, frozen_at: log.frozen_at, days }
  })
}

const publicKey = ({ kid, state, created_at, retired_at, revoked_at }: SigningKeyRow) => ({
  kid,
  status: state,
  since: created_at,
  until: revoked_at ?? retired_at,
})
