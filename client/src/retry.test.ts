import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSurroundings } from '../test/surroundings.ts'
import { ApiError, NetworkError } from './errors.ts'
import { DEFAULT_RETRY, retryAfterMs, withRetries } from './retry.ts'

const lost = (): NetworkError => new NetworkError('GET', 'http://127.0.0.1/', 'the connection was cut')
const refused = (status: number, waitMs?: number): ApiError =>
  new ApiError('no', { status, code: 'code', requestId: 'req_1', retryAfterMs: waitMs })

/** Fails with each of the errors in turn, then succeeds. */
function failing(...errors: readonly Error[]): () => Promise<string> {
  const left = [...errors]
  return async () => {
    const error = left.shift()
    if (error !== undefined) throw error
    return 'done'
  }
}

test('waits grow exponentially, with full jitter, up to the cap', async () => {
  for (const [random, expected] of [
    [0, [0, 0, 0, 0]],
    [0.5, [250, 500, 1000, 1500]],
    [0.999, [499.5, 999, 1998, 2997]],
  ] as const) {
    const surroundings = testSurroundings(random)
    const policy = { ...DEFAULT_RETRY, capMs: 3000 }
    await withRetries(policy, surroundings, undefined, failing(lost(), lost(), lost(), lost()))
    assert.deepEqual(surroundings.waits, expected)
  }
})

test('Retry-After is waited for, and more than the cap is not waited for at all', async () => {
  const surroundings = testSurroundings()
  await withRetries(DEFAULT_RETRY, surroundings, undefined, failing(refused(429, 7000), refused(503, 2000)))
  assert.deepEqual(surroundings.waits, [7250, 2500])
  await assert.rejects(
    withRetries(DEFAULT_RETRY, surroundings, undefined, failing(refused(429, 31_000))),
    ApiError,
  )
  assert.equal(surroundings.waits.length, 2)
})

test('what stays wrong however often it is asked is asked once', async () => {
  for (const status of [400, 401, 402, 403, 404, 409, 413, 415, 416]) {
    const surroundings = testSurroundings()
    await assert.rejects(withRetries(DEFAULT_RETRY, surroundings, undefined, failing(refused(status))))
    assert.deepEqual(surroundings.waits, [], String(status))
  }
})

test('after the last attempt its error is thrown, and getting further starts the count anew', async () => {
  const surroundings = testSurroundings()
  const policy = { ...DEFAULT_RETRY, attempts: 3 }
  const errors = [lost(), lost(), lost()]
  await assert.rejects(
    withRetries(policy, surroundings, undefined, failing(...errors)),
    (error) => error === errors[2],
  )
  let turns = 0
  const result = await withRetries(policy, surroundings, undefined, async (gotFurther) => {
    if (++turns === 10) return 'done'
    gotFurther()
    throw lost()
  })
  assert.equal(result, 'done')
})

test('an abort ends the waiting with the reason of the caller', async () => {
  const controller = new AbortController()
  const policy = { ...DEFAULT_RETRY, onRetry: () => controller.abort(new Error('enough')) }
  await assert.rejects(
    withRetries(policy, testSurroundings(), controller.signal, failing(lost())),
    /^Error: enough$/,
  )
})

test('both forms of Retry-After are read, and nothing else', () => {
  const now = Date.parse('2026-03-04T05:06:07Z')
  assert.equal(retryAfterMs('120', now), 120_000)
  assert.equal(retryAfterMs('Wed, 04 Mar 2026 05:06:17 GMT', now), 10_000)
  assert.equal(retryAfterMs('Wed, 04 Mar 2026 05:00:00 GMT', now), 0)
  assert.equal(retryAfterMs('soon', now), undefined)
  assert.equal(retryAfterMs(null, now), undefined)
})
