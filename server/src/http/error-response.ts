import { type Static, Type } from 'typebox'
import { REFUSALS, type RefusalCode, Refusal } from '../refusals.ts'
import { Boundary, Named, OneOf } from './schema-parts.ts'
import { STATUS_CODES } from 'node:http'
import { BOUNDARY } from '@kitseal/kit/internal'
import { isUnavailable } from '../database/unavailable.ts'
import { ObjectsUnavailable, ObjectUnreadable } from '../objects/object-store.ts'

export const ErrorResponse = Named('ErrorResponse', 'Returned with every error.', {
  error: Type.String({ description: 'Reason phrase of the status.' }),
  code: OneOf(
    Object.keys(REFUSALS) as RefusalCode[],
    'What went wrong. Later releases may add codes: treat an unknown one by its status.',
  ),
  message: Type.String({ description: 'For people. Do not parse it.' }),
  args: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'Values in `message`, for programs that say it in another language. Never markup.',
    }),
  ),
  param: Type.Optional(
    Type.String({
      description:
        'What the error is about: a member of the body such as `items[2].title`, a form field, a parameter of the query or path, or a header. The first one, if there are several.',
    }),
  ),
  request_id: Type.String({ description: 'Also in `X-Request-Id`.' }),
  boundary: Type.Optional(Boundary()),
})

export type ErrorResponse = Static<typeof ErrorResponse>

/** Status 460 is defined by the tus protocol. */
const PHRASES: Readonly<Record<number, string | undefined>> = { ...STATUS_CODES, 460: 'Checksum Mismatch' }

/** ErrorResponse (contract 2.6). */
export function errorResponse(
  code: RefusalCode,
  message: string,
  requestId: string,
  { args = {}, param }: Partial<Pick<Refusal, 'args' | 'param'>> = {},
): ErrorResponse {
  return {
    error: PHRASES[REFUSALS[code][0]] ?? 'Error',
    code,
    message,
    ...(Object.keys(args).length === 0 ? {} : { args }),
    ...(param === undefined ? {} : { param }),
    request_id: requestId,
    boundary: BOUNDARY,
  }
}

/** Turns anything thrown into a Refusal. Unknown errors become a 500 that reveals nothing but the request ID. */
export function asRefusal(error: unknown, bodyLimit?: number): Refusal {
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' && bodyLimit !== undefined)
    return new Refusal(
      'body_too_large',
      `The body is larger than ${bodyLimit} bytes, the limit of this endpoint.`,
    )
  const translate = FRAMEWORK[code]
  if (translate !== undefined) return new Refusal(translate[0], translate[1], { cause: error })
  if (isCut(error))
    return new Refusal('request_malformed', 'The connection closed before the request was complete.', {
      cause: error,
    })
  if (isUnavailable(error) || error instanceof ObjectsUnavailable) {
    return new Refusal(
      'store_unavailable',
      'The database or object store is unavailable. Try again shortly.',
      { cause: error, headers: { 'retry-after': '5' } },
    )
  }
  if (error instanceof ObjectUnreadable)
    return new Refusal(
      'object_unavailable',
      'A stored file is missing or damaged. Report the request_id to the operator, who can restore it.',
      { cause: error },
    )
  return new Refusal('internal_error', 'Internal error. Report the request_id to the operator.', {
    cause: error,
  })
}

/** What Node raises on a request that was cut, and Fastify marks. A database's connection is cut without that mark. */
const isCut = (error: unknown): boolean =>
  codeOf(error) === 'ECONNRESET' && Reflect.get(error as Error, 'statusCode') === 400

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const FRAMEWORK: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than this endpoint accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['media_type_unsupported', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['request_malformed', 'The body length differs from Content-Length.'],
  FST_ERR_CTP_EMPTY_TYPE: ['media_type_unsupported', 'Send the body as application/json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['json_malformed', 'The body is empty. Send a JSON object.'],
  FST_ERR_BAD_URL: ['url_malformed', 'The path is not valid percent-encoded UTF-8.'],
}
