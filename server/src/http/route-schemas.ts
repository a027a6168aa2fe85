import type { REFUSALS } from '../refusals.ts'
import { ref } from './schemas.ts'

type ErrorStatus = (typeof REFUSALS)[keyof typeof REFUSALS][0]

/** The error answers of a route, for its `response` schema. Those that every route shares are added by openapi.ts. */
export function errors(...statuses: readonly ErrorStatus[]): Record<number, ReturnType<typeof ref>> {
  return Object.fromEntries(statuses.map((status) => [status, ref('ErrorResponse')]))
}
