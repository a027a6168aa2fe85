import { errorResponse } from '../http/error-response.ts'
import { REFUSALS, type RefusalCode } from '../refusals.ts'
import { BEFORE_ROUTING } from './operation-codes.ts'

interface Header {
  readonly description: string
  readonly required?: true
  readonly schema: {
    readonly type: 'string' | 'integer'
    readonly minimum?: number
    readonly enum?: string[]
  }
}

/** Response headers, by their names in the OpenAPI document. */
export const RESPONSE_HEADERS = {
  RequestId: {
    description: 'ID of this request, as in the logs.',
    required: true,
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before retrying.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  PollAfter: {
    description:
      'Seconds to wait before polling again: 1 normally, up to 30 if many jobs of the workspace are waiting. Absent once the status is final.',
    schema: { type: 'integer', minimum: 1 },
  },
  Location: { description: 'Where to poll for the result.', required: true, schema: { type: 'string' } },
  Replayed: {
    description:
      '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  EntityTag: {
    description: 'For `If-None-Match`, `If-Match` and `If-Range`.',
    required: true,
    schema: { type: 'string' },
  },
  ContentRange: {
    description: 'The range that is returned and the total size, or the total size alone with 416.',
    required: true,
    schema: { type: 'string' },
  },
  Digest: {
    description: '`sha-256=:BASE64:` of the whole file, also if a range of it is sent (RFC 9530).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'Requests that are left (`r`), and seconds (`t`) until there is one, or until all are there again. Sent with every response that counts towards a limit.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'The limit: requests (`q`) in so many seconds (`w`).',
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, Header>>

interface DocumentedOperation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses?: Readonly<Record<string, unknown>>
}

/** Operations that clients poll. */
const POLLED = new Set(['getIntakeJob', 'getSubmission', 'listDeliverables'])
/** What they create is not polled. */
const NOT_POLLED = new Set(['createApiKey', 'rotateApiKey', 'createFederation'])
const RETRYABLE = new Set(['429', '503', '507'])
/** Documents without a digest, because no kit contains them. */
const NO_DIGEST = new Set(['getKeys', 'getOpenApi'])
const WITH_RANGE = new Set(['206', '416'])
const WITH_ETAG = new Set(['200', '206', '304'])

/** The headers of one response of an operation. */
export function responseHeaders(
  operation: DocumentedOperation,
  status: string,
): Record<string, { readonly $ref: string }> {
  const { operationId = '', parameters = [], responses = {} } = operation
  const isCreated = (status === '201' || status === '202') && !NOT_POLLED.has(operationId)
  const isOnce = isCreated && parameters.some(({ name }) => name === 'Idempotency-Key')
  const isPolled = isCreated || (status === '200' && POLLED.has(operationId))
  const given: Readonly<Record<string, keyof typeof RESPONSE_HEADERS | false>> = {
    'X-Request-Id': 'RequestId',
    'Retry-After': RETRYABLE.has(status) ? 'RetryAfter' : isPolled && 'PollAfter',
    Location: isCreated && 'Location',
    'Idempotency-Replayed': isOnce && 'Replayed',
    ETag: '304' in responses && WITH_ETAG.has(status) && 'EntityTag',
    'Content-Range': WITH_RANGE.has(status) && 'ContentRange',
    'Repr-Digest': '304' in responses && /^20[06]$/.test(status) && !NO_DIGEST.has(operationId) && 'Digest',
    RateLimit: status === '429' && 'RateLimit',
    'RateLimit-Policy': status === '429' && 'RateLimitPolicy',
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, header]) =>
      header === false ? [] : [[name, { $ref: `#/components/headers/${header}` }]],
    ),
  )
}

const EXAMPLE_ID = 'req_4Xw0s6S1d2v3b4n5m6a7s8d9f0g'

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '400': 'The request is invalid. `message` lists every problem.',
  '401': 'The API key is missing or not valid.',
  '402': 'The workspace has no credits left.',
  '403': 'Not allowed for this workspace, or the API key does not have the scope.',
  '404': 'Not found in this workspace.',
  '408': 'The request did not arrive in time.',
  '409': 'Conflicts with an earlier request or with the current state.',
  '410': 'Expired: deleted at the end of the retention period, or an upload that took too long.',
  '413': 'The body is too large.',
  '415': 'The media type of the body is not supported.',
  '412': 'The current ETag does not match `If-Match`, or `Tus-Resumable` is not supported.',
  '416': 'The requested range is outside the file.',
  '423': 'All bytes have arrived and are being stored: ask again.',
  '429': 'Too many requests. `Retry-After` says how long to wait.',
  '460': 'The body does not match `Upload-Checksum`.',
  '503': 'Overloaded, or the database or object store is unavailable. `Retry-After` says how long to wait.',
  '507': 'The disks of the service are almost full. `Retry-After` says how long to wait.',
  default:
    'Any other error: the HTTP request is malformed, the path or the method does not exist, or the service has a fault.',
}

/** The error responses that operations share, with an example of every code. */
export const ERROR_RESPONSES: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(DESCRIPTIONS).map(([status, description]) => [
    nameOf(status),
    {
      description,
      headers: responseHeaders({}, status),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ErrorResponse' },
          examples: examplesOf(status),
        },
      },
    },
  ]),
)

/** Refers to the shared response for a status. */
export function errorReference(status: string): { readonly $ref: string } {
  if (!Object.hasOwn(DESCRIPTIONS, status)) throw new Error(`error-responses.ts does not describe ${status}`)
  return { $ref: `#/components/responses/${nameOf(status)}` }
}

function nameOf(status: string): string {
  return status === 'default' ? 'Error' : `Error${status}`
}

function examplesOf(status: string): Readonly<Record<string, object>> {
  const isOf = (code: RefusalCode): boolean =>
    status === 'default' ? BEFORE_ROUTING.includes(code) : REFUSALS[code][0] === Number(status)
  return Object.fromEntries(
    (Object.keys(REFUSALS) as RefusalCode[]).filter(isOf).map((code) => [code, { value: exampleOf(code) }]),
  )
}

/** Without the boundary, which is the same in all. */
function exampleOf(code: RefusalCode): object {
  const { boundary: _, ...example } = errorResponse(code, REFUSALS[code][1], EXAMPLE_ID)
  return example
}
