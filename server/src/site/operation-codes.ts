import { REFUSALS, type RefusalCode } from '../refusals.ts'
import type { Operation } from './openapi-document.ts'

/** What any operation can answer, whatever the caller sends. */
const ANYWHERE: readonly RefusalCode[] = [
  'url_malformed',
  'query_invalid',
  'api_key_invalid',
  'overloaded',
  'store_unavailable',
  'stopping',
]

/** What answers before an operation is found, or instead of it. In `default` of every operation. */
export const BEFORE_ROUTING: readonly RefusalCode[] = [
  'request_malformed',
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
  'host_unknown',
  'headers_too_large',
  'internal_error',
]

/** A body is read even where none is needed. */
const ANY_BODY: readonly RefusalCode[] = ['json_malformed', 'body_too_large', 'media_type_unsupported']
const JSON_BODY: readonly RefusalCode[] = ['body_not_an_object', 'body_invalid']
const IDEMPOTENT: readonly RefusalCode[] = ['idempotency_key_malformed', 'idempotency_key_reused']
const WITH_KEY: readonly RefusalCode[] = ['api_key_required', 'api_access_off']

/** By parameter of the path. */
const NOT_FOUND: Readonly<Record<string, RefusalCode>> = {
  job_id: 'job_not_found',
  kit_id: 'kit_not_found',
  submission_id: 'submission_not_found',
  upload_id: 'upload_not_found',
  share_id: 'share_not_found',
  room_id: 'room_not_found',
  comment_id: 'comment_not_found',
  profile: 'profile_not_found',
  evidence_request_id: 'request_not_found',
  program_id: 'program_not_found',
  period: 'period_not_found',
  webhook_id: 'webhook_not_found',
  key_id: 'key_not_found',
  federation_id: 'federation_not_found',
  series: 'series_not_found',
}

/** What else an operation can answer, if its route does not say so. */
const OWN: Readonly<Record<string, readonly RefusalCode[]>> = {
  getOpenApi: ['precondition_failed'],
  verifyReceipt: ['object_unavailable'],
  exchangeToken: ['token_rejected', 'issuer_unavailable'],
}

/** The codes of errors that an operation can return, in the order of the table. */
export function codesOf(
  method: string,
  operation: Operation,
  own: readonly RefusalCode[] = OWN[operation.operationId] ?? [],
): readonly RefusalCode[] {
  const { parameters = [], requestBody, 'x-scope': scope, security = [] } = operation
  const isIn = (place: string, name: string): boolean =>
    parameters.some((each) => each.in === place && each.name === name)
  const possible = new Set<string>([
    ...ANYWHERE,
    ...(method === 'get' ? [] : ANY_BODY),
    ...(requestBody?.content['application/json'] === undefined ? [] : JSON_BODY),
    ...(isIn('header', 'Idempotency-Key') ? IDEMPOTENT : []),
    ...(security.length === 0 ? [] : WITH_KEY),
    ...(scope === undefined ? [] : ['rate_limited']),
    ...(scope === undefined || scope === 'none' ? [] : ['scope_missing']),
    ...Object.entries(NOT_FOUND).flatMap(([name, code]) => (isIn('path', name) ? [code] : [])),
    ...own,
  ])
  return (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => possible.has(code))
}
