import assert from 'node:assert/strict'
import crypto, { Hash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, before, test } from 'node:test'
import { type Caller, type Premises, premises } from './access-callers.ts'
import { type TestService, testService } from './test-service.ts'

// How long an answer takes is measured by `npm run load -- timing`. Here is what does not depend on the machine: whether
// something exists or not, the same steps are taken for the same refusal.
const steps: string[] = []
const countsAsStep = <Args extends unknown[], T>(name: string, work: (...args: Args) => T) =>
  function (this: unknown, ...args: Args): T {
    steps.push(name)
    return work.apply(this, args)
  }
const { timingSafeEqual } = crypto
const prototype = Hash.prototype as unknown as { digest: (encoding?: string) => unknown }
const { digest } = prototype

/** What workers, sweepers and counters ask for now and then. */
const IN_THE_BACKGROUND = /^(?:update|delete|begin|commit)|count\(\*\) as "waiting"|pragma/

let service: TestService
let place: Premises
before(async () => {
  service = await testService({}, undefined, (text) =>
    steps.push(text.replaceAll(/'[^']*'/g, '?').replaceAll(/\b\d+\b/g, '?')),
  )
  place = await premises(service)
  crypto.timingSafeEqual = countsAsStep('timingSafeEqual', timingSafeEqual)
  prototype.digest = countsAsStep('digest', digest)
  syncBuiltinESMExports()
})
after(async () => {
  crypto.timingSafeEqual = timingSafeEqual
  prototype.digest = digest
  syncBuiltinESMExports()
  await service[Symbol.asyncDispose]()
})

for (const caller of ['wrong secret', 'revoked key', 'expired key'] as const)
  test(`a key that does not exist takes the steps of: ${caller}`, async () => {
    const none = await stepsOf('/v1/credits', 'unknown key')
    assert.deepEqual(await stepsOf('/v1/credits', caller), none)
    assert.deepEqual(
      none.filter((step) => step === 'timingSafeEqual'),
      ['timingSafeEqual'],
    )
    assert.ok(none.includes('digest'))
    assert.ok(none.some((step) => step.includes('api_keys')))
  })

const PATHS: Readonly<Record<string, (at: Premises) => string>> = {
  submission: ({ submissionId }) => `/v1/submissions/${submissionId}`,
  deliverable: ({ submissionId }) => `/v1/submissions/${submissionId}/deliverables/kit.zip`,
  receipt: ({ kitId }) => `/v1/kits/${kitId}/receipt`,
  manifest: ({ kitId }) => `/v1/kits/${kitId}/manifest`,
  download: ({ kitId }) => `/v1/kits/${kitId}/download`,
  job: ({ jobId }) => `/v1/intake/jobs/${jobId}`,
}

for (const [what, path] of Object.entries(PATHS))
  for (const caller of ['other workspace', 'nobody'] as const)
    test(`the ${what} of another takes the steps of one that does not exist, for ${caller}`, async () => {
      const [theirs, none] = [path(place), path(place).replace(/((?:sub|kit|job)_).{10}/, '$1AAAAAAAAAA')]
      // Asked again and again, as whoever measures would: what is kept in memory shows only then.
      for (let time = 1; time <= 3; time += 1)
        assert.deepEqual(await stepsOf(theirs, caller), await stepsOf(none, caller), `time ${time}`)
    })

/** What is done for one request, in order, with the values left out. */
async function stepsOf(path: string, caller: Caller): Promise<readonly string[]> {
  const key = place.keys[caller]
  steps.length = 0
  const answer = await fetch(service.base + path, { headers: key === undefined ? {} : { 'x-api-key': key } })
  await answer.bytes()
  assert.match(String(answer.status), /^40[14]$/)
  return steps.filter((step) => !IN_THE_BACKGROUND.test(step))
}
