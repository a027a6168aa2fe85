interface Header {
  readonly description: string
  readonly required?: true
  readonly schema: {
    readonly type: 'string' | 'integer'
    readonly minimum?: number
    readonly enum?: string[]
  }
}

/** What answers say in their header fields, under the names that the description has for it. */
export const ANSWER_HEADERS = {
  RequestId: {
    description: 'Names this request, for the log of the service.',
    required: true,
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'So many seconds to wait before asking again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  PollAfter: {
    description: 'So many seconds to wait before asking again; not given once the status is final.',
    schema: { type: 'integer', minimum: 1 },
  },
  Location: { description: 'Where to ask what becomes of it.', required: true, schema: { type: 'string' } },
  Replayed: {
    description: 'Given where this answers a repeat, as the first was answered.',
    schema: { type: 'string', enum: ['true'] },
  },
  EntityTag: {
    description: 'Names these very bytes, for `If-None-Match`, `If-Match` and `If-Range`.',
    required: true,
    schema: { type: 'string' },
  },
  ContentRange: {
    description: 'Which bytes these are, and of how many; or of how many the range had to be.',
    required: true,
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, Header>>

export interface AnsweredOperation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses?: Readonly<Record<string, unknown>>
}

/** What is asked for again until it has come to its end. */
const POLLED = new Set(['getIntakeJob', 'getSubmission', 'listDeliverables'])
const ASK_LATER = new Set(['429', '503'])
const OF_RANGES = new Set(['206', '416'])
const OF_BYTES = new Set(['200', '206', '304'])

/** The header fields of one answer of an operation. */
export function answerHeaders(
  operation: AnsweredOperation,
  status: string,
): Record<string, { readonly $ref: string }> {
  const { operationId = '', parameters = [], responses = {} } = operation
  const isCreated = status === '201' || status === '202'
  const isOnce = isCreated && parameters.some(({ name }) => name === 'Idempotency-Key')
  const isPolled = isCreated || (status === '200' && POLLED.has(operationId))
  const given: Readonly<Record<string, keyof typeof ANSWER_HEADERS | false>> = {
    'X-Request-Id': 'RequestId',
    'Retry-After': ASK_LATER.has(status) ? 'RetryAfter' : isPolled && 'PollAfter',
    Location: isCreated && 'Location',
    'Idempotency-Replayed': isOnce && 'Replayed',
    ETag: '304' in responses && OF_BYTES.has(status) && 'EntityTag',
    'Content-Range': OF_RANGES.has(status) && 'ContentRange',
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, header]) =>
      header === false ? [] : [[name, { $ref: `#/components/headers/${header}` }]],
    ),
  )
}
