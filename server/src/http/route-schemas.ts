import { Type } from 'typebox'
import type { REFUSALS } from '../refusals.ts'
import { ref } from './schemas.ts'

type ErrorStatus = (typeof REFUSALS)[keyof typeof REFUSALS][0]

/** The error answers of a route, for its `response` schema. Those that every route shares are added by openapi.ts. */
export function errors(...statuses: readonly ErrorStatus[]): Record<number, ReturnType<typeof ref>> {
  return Object.fromEntries(statuses.map((status) => [status, ref('ErrorResponse')]))
}

/** For whoever has it already, and says so with `If-None-Match`. */
export const notModified = { 304: Type.Null({ description: 'It is what `If-None-Match` names.' }) }

/** The header that makes a request safe to repeat, with what that means for the route. */
export const onceHeader = (description: string) =>
  Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$', description }),
    ),
  })
