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

export interface DocumentedOperation {
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
