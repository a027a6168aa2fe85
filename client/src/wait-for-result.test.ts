import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPlatform } from '../test/platform.ts'
import { createClient } from './index.ts'

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
