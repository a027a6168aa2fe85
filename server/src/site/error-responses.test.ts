import assert from 'node:assert/strict'
import { test } from 'node:test'
import { responseHeaders } from './error-responses.ts'

const statuses = (...all: readonly number[]): Record<string, object> =>
  Object.fromEntries(all.map((status) => [status, {}]))

const CREATE = {
  operationId: 'createIntakeJob',
  parameters: [{ name: 'Idempotency-Key' }],
  responses: statuses(202, 400, 429, 503),
}
const POLL = { operationId: 'getIntakeJob', responses: statuses(200, 404) }
const FETCH = { operationId: 'downloadKit', responses: statuses(200, 206, 304, 404, 416) }

test('each response documents its headers', () => {
  const rows = [
    [CREATE, '202', ['X-Request-Id', 'Retry-After', 'Location', 'Idempotency-Replayed']],
    [CREATE, '400', ['X-Request-Id']],
    [CREATE, '429', ['X-Request-Id', 'Retry-After', 'RateLimit', 'RateLimit-Policy']],
    [CREATE, '503', ['X-Request-Id', 'Retry-After']],
    [POLL, '200', ['X-Request-Id', 'Retry-After']],
    [POLL, '404', ['X-Request-Id']],
    [FETCH, '200', ['X-Request-Id', 'ETag', 'Repr-Digest']],
    [FETCH, '206', ['X-Request-Id', 'ETag', 'Content-Range', 'Repr-Digest']],
    [FETCH, '304', ['X-Request-Id', 'ETag']],
    [FETCH, '416', ['X-Request-Id', 'Content-Range']],
  ] as const
  for (const [operation, status, names] of rows)
    assert.deepEqual(
      Object.keys(responseHeaders(operation, status)),
      names,
      `${operation.operationId} ${status}`,
    )
})

test('Retry-After is required on 429 and 503 and optional on polled responses', () => {
  const reference = (operation: typeof CREATE | typeof POLL, status: string): string | undefined =>
    responseHeaders(operation, status)['Retry-After']?.$ref
  assert.equal(reference(CREATE, '429'), '#/components/headers/RetryAfter')
  assert.equal(reference(POLL, '200'), '#/components/headers/PollAfter')
})
