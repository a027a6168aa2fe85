import { STATUS_CODES } from 'node:http'
import { BOUNDARY } from '@kitseal/kit'
import { isUnavailable } from '../database/unavailable.ts'
import { ObjectsUnavailable } from '../objects/object-store.ts'
import { REFUSALS, Refusal, type RefusalCode } from '../refusals.ts'
import type { ErrorResponse } from './schemas.ts'

/** The contract's error shape (its section 2.6). */
export function errorAnswer(code: RefusalCode, message: string, requestId: string): ErrorResponse {
  return {
    error: STATUS_CODES[REFUSALS[code][0]] ?? 'Error',
    code,
    message,
    request_id: requestId,
    boundary: BOUNDARY,
  }
}

/**
 * What a thrown thing becomes. A Refusal is said as it is; what the framework refuses is translated; anything else is
 * a fault of ours, of which the caller learns nothing but the request id.
 */
export function asRefusal(error: unknown, bodyLimit?: number): Refusal {
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' && bodyLimit !== undefined)
    return new Refusal(
      'body_too_large',
      `The body is larger than the ${bodyLimit} bytes that this endpoint takes.`,
    )
  const translate = FRAMEWORK[code]
  if (translate !== undefined) return new Refusal(translate[0], translate[1], { cause: error })
  if (isOfTheRequest(error))
    return new Refusal('request_malformed', 'The request broke off.', { cause: error })
  if (isUnavailable(error) || error instanceof ObjectsUnavailable) {
    return new Refusal('store_unavailable', 'The store does not answer. Try again shortly.', {
      cause: error,
      headers: { 'retry-after': '5' },
    })
  }
  return new Refusal('internal_error', 'The service failed to answer this request. Nothing was decided.', {
    cause: error,
  })
}

/** The framework marks what a request did wrong by a status of its own; only a cut connection has no row below. */
const isOfTheRequest = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 400

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const FRAMEWORK: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than this endpoint takes.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['media_type_unsupported', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'request_malformed',
    'The body is not as long as Content-Length says.',
  ],
  FST_ERR_CTP_EMPTY_TYPE: ['media_type_unsupported', 'Send the body as application/json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['json_malformed', 'The body is empty.'],
  FST_ERR_BAD_URL: ['url_malformed', 'The path is not valid percent-encoded UTF-8.'],
}
