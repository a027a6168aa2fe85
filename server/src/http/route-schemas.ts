import { Type } from 'typebox'
import type { REFUSALS } from '../refusals.ts'

type ErrorStatus = (typeof REFUSALS)[keyof typeof REFUSALS][0]

/** In a route's schema: `response: { 200: ref('Receipt'), ...errors(404) }`. site/schemas.ts has the names. */
export const ref = (name: string) => Type.Ref(`${name}#`)

/** The error responses of a route, for its `response` schema. openapi.ts adds those that every route shares. */
export function errors(...statuses: readonly ErrorStatus[]): Record<number, ReturnType<typeof ref>> {
  return Object.fromEntries(statuses.map((status) => [status, ref('ErrorResponse')]))
}

/** The response of every `DELETE`. */
export const deleted = { 204: Type.Null({ description: 'Done.' }) }

export const notModified = {
  304: Type.Null({ description: 'Not modified: the ETag matches `If-None-Match`.' }),
}

/** The `Idempotency-Key` header, with its effect on the route. */
export const idempotencyHeader = (description: string) =>
  Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$', description }),
    ),
  })
