import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPlatform } from '../test/platform.ts'
import { ApiError, NetworkError } from './errors.ts'
import { DEFAULT_RETRY, retryAfterMs, withRetries } from './transport.ts'

const lost = (): NetworkError => new NetworkError('GET', 'http://127.0.0.1/', 'connection lost')
const apiError = (status: number, waitMs?: number): ApiError =>
  new ApiError('no', { status, code: 'code', requestId: 'req_1', retryAfterMs: waitMs })

function networkError(code: string): NetworkError {
  const cause = Object.assign(new Error('no'), { code })
  return new NetworkError('GET', 'https://a.example/', 'no', new TypeError('fetch failed', { cause }))
}

/** Throws each error once, in order, then succeeds. */
function failing(...errors: readonly Error[]): () => Promise<string> {
  const left = [...errors]
  return async () => {
    const error = left.shift()
    if (error !== undefined) throw error
    return 'done'
  }
}

test('delays grow exponentially, with full jitter, up to the cap', async () => {
  for (const [random, expected] of [
    [0, [0, 0, 0, 0]],
    [0.5, [250, 500, 1000, 1500]],
    [0.999, [499.5, 999, 1998, 2997]],
  ] as const) {
    const platform = testPlatform(random)
    const policy = { ...DEFAULT_RETRY, capMs: 3000 }
    await withRetries({ retry: policy, platform }, undefined, failing(lost(), lost(), lost(), lost()))
    assert.deepEqual(platform.waits, expected)
  }
})

test('Retry-After is respected, and one above the cap is not retried', async () => {
  const platform = testPlatform()
  await withRetries(
    { retry: DEFAULT_RETRY, platform },
    undefined,
    failing(apiError(429, 7000), apiError(503, 2000)),
  )
  assert.deepEqual(platform.waits, [7250, 2500])
  await assert.rejects(
    withRetries({ retry: DEFAULT_RETRY, platform }, undefined, failing(apiError(429, 31_000))),
    ApiError,
  )
  assert.equal(platform.waits.length, 2)
})

test('client errors are not retried', async () => {
  for (const status of [400, 401, 402, 403, 404, 409, 413, 415, 416]) {
    const platform = testPlatform()
    await assert.rejects(
      withRetries({ retry: DEFAULT_RETRY, platform }, undefined, failing(apiError(status))),
    )
    assert.deepEqual(platform.waits, [], String(status))
  }
})

test('a certificate that is not trusted is not retried', async () => {
  for (const [code, waits] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 0],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 0],
    ['CERT_HAS_EXPIRED', 0],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 0],
    ['ECONNRESET', 1],
  ] as const) {
    const platform = testPlatform()
    await withRetries({ retry: DEFAULT_RETRY, platform }, undefined, failing(networkError(code))).catch(
      () => undefined,
    )
    assert.equal(platform.waits.length, waits, code)
  }
})

test('the last error is thrown when attempts run out, and progress resets the count', async () => {
  const platform = testPlatform()
  const policy = { ...DEFAULT_RETRY, attempts: 3 }
  const errors = [lost(), lost(), lost()]
  await assert.rejects(
    withRetries({ retry: policy, platform }, undefined, failing(...errors)),
    (error) => error === errors[2],
  )
  let calls = 0
  const result = await withRetries({ retry: policy, platform }, undefined, async (onProgress) => {
    if (++calls === 10) return 'done'
    onProgress()
    throw lost()
  })
  assert.equal(result, 'done')
})

test('aborting during a delay rejects with the reason of the signal', async () => {
  const controller = new AbortController()
  const policy = { ...DEFAULT_RETRY, onRetry: () => controller.abort(new Error('enough')) }
  await assert.rejects(
    withRetries({ retry: policy, platform: testPlatform() }, controller.signal, failing(lost())),
    /^Error: enough$/,
  )
})

test('Retry-After is parsed as seconds or a date; anything else is ignored', () => {
  const now = Date.parse('2026-03-04T05:06:07Z')
  assert.equal(retryAfterMs('120', now), 120_000)
  assert.equal(retryAfterMs('Wed, 04 Mar 2026 05:06:17 GMT', now), 10_000)
  assert.equal(retryAfterMs('Wed, 04 Mar 2026 05:00:00 GMT', now), 0)
  assert.equal(retryAfterMs('soon', now), undefined)
  assert.equal(retryAfterMs(null, now), undefined)
})
