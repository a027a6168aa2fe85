import type { TSchema } from 'typebox'
import { creditRoutes } from '../access/credits.ts'
import { federationRoutes } from '../access/federations.ts'
import { keyRoutes } from '../access/api-keys.ts'
import { meRoutes } from '../access/me-routes.ts'
import { tokenRoutes } from '../access/token-exchange.ts'
import { trustRoutes } from '../access/trust.ts'
import { auditSchemas, personSchema } from '../audit/audit-log.ts'
import { eventListSchema } from '../audit/events.ts'
import { webhookRoutes } from '../deliveries/webhooks.ts'
import { schemasOf } from '../http/route.ts'
import { ErrorResponse } from '../http/error-response.ts'
import { JWKS } from '../keys/jwks-routes.ts'
import * as kits from '../kits/kit-schemas.ts'
import { overviewRoutes } from '../requests/overview.ts'
import { periodRoutes } from '../requests/period-routes.ts'
import { programRoutes } from '../requests/program-routes.ts'
import { requestRoutes } from '../requests/request-routes.ts'
import { remarkRoutes } from '../shares/room-remarks.ts'
import { shareRoutes } from '../shares/share-routes.ts'
import { jobRoutes } from '../submissions/intake-jobs.ts'
import { managingRoutes, submissionRoutes } from '../submissions/submission-routes.ts'
import { uploadRoutes } from '../submissions/upload-routes.ts'

const EXPORTED = [kits, { ErrorResponse, JWKS }]
const OTHERS = [[...Object.values(schemasOf(tokenRoutes)), ...auditSchemas, eventListSchema, personSchema]]

const named = (areas: readonly object[]): Readonly<Record<string, TSchema>> =>
  Object.fromEntries(
    areas.flatMap((area) =>
      Object.values(area).flatMap((schema) => ('$id' in Object(schema) ? [[schema.$id, schema]] : [])),
    ),
  )

const byName = (schemas: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The named schemas of the OpenAPI document and /schemas: of every operation, and every exported schema with a name. */
export const NAMED_SCHEMAS: Readonly<Record<string, TSchema>> = {
  ...byName(schemasOf(jobRoutes)),
  ...named(EXPORTED),
  ...byName(schemasOf([...submissionRoutes, ...uploadRoutes, ...overviewRoutes])),
  ...named(OTHERS),
  ...schemasOf([
    ...keyRoutes,
    ...federationRoutes,
    ...creditRoutes,
    ...trustRoutes,
    ...meRoutes,
    ...shareRoutes,
    ...remarkRoutes,
    ...webhookRoutes,
    ...managingRoutes,
  ]),
  ...schemasOf([...requestRoutes, ...programRoutes, ...periodRoutes]),
}
