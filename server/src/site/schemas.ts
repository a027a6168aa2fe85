import type { TSchema } from 'typebox'
import { creditRoutes } from '../access/credits.ts'
import { federationRoutes } from '../access/federations.ts'
import { keyRoutes } from '../access/key-routes.ts'
import { meRoutes } from '../access/me-routes.ts'
import { Token } from '../access/token-exchange.ts'
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
import * as jobs from '../submissions/intake-jobs.ts'
import { submissionRoutes } from '../submissions/submission-routes.ts'
import * as submissions from '../submissions/submission-schemas.ts'

const AREAS = [jobs, kits, { ErrorResponse, JWKS }, submissions]
const OTHERS = [[Token, ...auditSchemas, eventListSchema, personSchema]]

/** The named schemas of the OpenAPI document and /schemas: every exported schema with a name. */
export const NAMED_SCHEMAS: Readonly<Record<string, TSchema>> = {
  ...Object.fromEntries(
    [...AREAS, ...OTHERS].flatMap((area) =>
      Object.values(area).flatMap((schema) =>
        '$id' in Object(schema) ? [[(schema as { $id: string }).$id, schema as TSchema]] : [],
      ),
    ),
  ),
  ...schemasOf([
    ...keyRoutes,
    ...federationRoutes,
    ...creditRoutes,
    ...trustRoutes,
    ...meRoutes,
    ...shareRoutes,
    ...remarkRoutes,
    ...webhookRoutes,
    ...submissionRoutes,
  ]),
  ...schemasOf([...requestRoutes, ...programRoutes, ...periodRoutes, ...overviewRoutes]),
}
