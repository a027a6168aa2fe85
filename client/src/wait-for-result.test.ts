import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPlatform } from '../test/platform.ts'
import { createClient, WaitTimeout } from './index.ts'

/** The waits of a client until the job is ISSUED, by the `Retry-After` of each poll before. */
async function waits(retryAfter: readonly (string | undefined)[]): Promise<readonly number[]> {
  const platform = testPlatform()
  const left = [...retryAfter]
  const fetch = async (): Promise<Response> => {
    const isLast = left.length === 0
    const after = left.shift()
    const body = { job_id: 'job_1', status: isLast ? 'ISSUED' : 'SUBMITTED', boundary: '' }
    return Response.json(body, { headers: after === undefined ? {} : { 'retry-after': after } })
  }
  await createClient({ baseUrl: 'http://host', fetch, platform }).waitForJob('job_1')
  return platform.waits
}

test('the delay between polls doubles up to the Retry-After of the service', async () => {
  assert.deepEqual(await waits(Array<string>(7).fill('1')), [50, 100, 200, 400, 800, 1000, 1000])
})

test('a Retry-After of more than five seconds is waited for at once, a shorter one is not', async () => {
  assert.deepEqual(await waits(['30', '6', '5', '1']), [30_000, 6000, 200, 400])
})

test('without Retry-After the delay is at most five seconds', async () => {
  const all = await waits(Array<undefined>(9).fill(undefined))
  assert.deepEqual(all.slice(-3), [3200, 5000, 5000])
})

/** A client of a service whose submission waits for these, one after the other, and then for the last one. */
function clientThatWaits(reasons: readonly (string | null)[]) {
  const left = [...reasons]
  const fetch = async (): Promise<Response> => {
    const reason = left.length > 1 ? left.shift() : left[0]
    const waiting = reason === null ? null : { reason, since: '2026-01-01T00:00:00.000Z' }
    return Response.json({ status: 'RUNNING', waiting, boundary: '' }, { headers: { 'retry-after': '1' } })
  }
  return createClient({ baseUrl: 'http://host', fetch, platform: testPlatform() })
}

test('a wait ends after ten minutes, and the error says what the submission waits for', async () => {
  const waiting: string[] = []
  await assert.rejects(
    clientThatWaits(['log', 'log_frozen']).waitForResult('sub_1', {
      onWaiting: ({ reason }) => waiting.push(reason),
    }),
    (error) =>
      error instanceof WaitTimeout &&
      error.waiting?.reason === 'log_frozen' &&
      error.message ===
        'sub_1 is still RUNNING after 600 s: waiting for the log of the service, which is frozen until the operator has repaired it, since 2026-01-01T00:00:00.000Z',
  )
  assert.deepEqual(waiting, ['log_frozen'], 'once, and not for what took less than five seconds')
})

const waitBriefly = (reason: string | null) =>
  clientThatWaits([reason]).waitForResult('sub_1', { timeoutMs: 6000 })

test('a service that is older, or names an unknown reason, is waited for as well', async () => {
  await assert.rejects(waitBriefly('lunar_eclipse'), /: waiting for lunar_eclipse since 2026-01-01/)
  await assert.rejects(waitBriefly(null), { message: 'sub_1 is still RUNNING after 6 s' })
})
