// Own process: it replaces functions of node:crypto.
import assert from 'node:assert/strict'
import crypto, { Hash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, before, test } from 'node:test'
import { type Caller, type AccessFixture, accessFixture } from '../../../test/kit/access-fixture.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { administer } from '../../../test/kit/workspace.ts'

// `npm run load -- timing` measures response times. These tests do not depend on the machine: they compare the SQL statements
// for resources that exist and resources that do not.
const steps: string[] = []
const countsAsStep = <Args extends unknown[], T>(name: string, work: (...args: Args) => T) =>
  function (this: unknown, ...args: Args): T {
    steps.push(name)
    return work.apply(this, args)
  }
const { hash, timingSafeEqual } = crypto
const prototype = Hash.prototype as unknown as { digest: (encoding?: string) => unknown }
const { digest } = prototype

/** Periodic statements of workers, the log, maintenance and deliveries. */
const BACKGROUND_STATEMENT =
  /^(?:update|delete|begin|commit|with "picked")|count\(\*\) as "waiting"|pragma|"leaf_index" is null|"passed_kit_id"|(?:from|into) "(?:log|upkeep|tasks|deliveries|webhooks|webhook_keys)"|from "audit_events" where "workspace_id" = \? and "sequence" >/

/** Statements that change something. They empty caches of results. */
let writes = 0

let service: TestService
let fixture: AccessFixture
before(async () => {
  service = await testService({}, undefined, (text) => {
    // SQLite cuts long values off and says how many bytes are missing.
    steps.push(text.replaceAll(/'[^']*'(?:\/\*\+\d+ bytes\*\/)?/g, '?').replaceAll(/\b\d+\b/g, '?'))
    if (/^(?:insert|update|delete|commit)/.test(text)) writes += 1
  })
  fixture = await accessFixture(service)
  crypto.timingSafeEqual = countsAsStep('timingSafeEqual', timingSafeEqual)
  prototype.digest = countsAsStep('digest', digest)
  crypto.hash = countsAsStep('digest', hash) as typeof hash
  syncBuiltinESMExports()
})
after(async () => {
  crypto.timingSafeEqual = timingSafeEqual
  prototype.digest = digest
  crypto.hash = hash
  syncBuiltinESMExports()
  await service[Symbol.asyncDispose]()
})

for (const caller of ['wrong secret', 'revoked key', 'expired key'] as const)
  test(`an unknown key runs the same steps as: ${caller}`, async () => {
    const none = await stepsOf('/v1/credits', 'unknown key')
    assert.deepEqual(await stepsOf('/v1/credits', caller), none)
    assert.deepEqual(
      none.filter((step) => step === 'timingSafeEqual'),
      ['timingSafeEqual'],
    )
    assert.ok(none.includes('digest'))
    assert.ok(none.some((step) => step.includes('api_keys')))
  })

const PATHS: Readonly<Record<string, (fixture: AccessFixture) => string>> = {
  submission: ({ submissionId }) => `/v1/submissions/${submissionId}`,
  deliverable: ({ submissionId }) => `/v1/submissions/${submissionId}/deliverables/kit.zip`,
  receipt: ({ kitId }) => `/v1/kits/${kitId}/receipt`,
  manifest: ({ kitId }) => `/v1/kits/${kitId}/manifest`,
  download: ({ kitId }) => `/v1/kits/${kitId}/download`,
  job: ({ jobId }) => `/v1/intake/jobs/${jobId}`,
}

for (const [what, path] of Object.entries(PATHS))
  for (const caller of ['other workspace', 'nobody'] as const)
    test(`a ${what} of another workspace runs the same steps as a missing one, for ${caller}`, async () => {
      const [foreign, none] = [
        path(fixture),
        path(fixture).replace(/((?:sub|kit|job)_).{10}/, '$1AAAAAAAAAA'),
      ]
      // Repeated, because caches have an effect only then.
      await undisturbed(async () => {
        for (let time = 1; time <= 3; time += 1)
          assert.deepEqual(await stepsOf(foreign, caller), await stepsOf(none, caller), `time ${time}`)
      })
    })

test('a manifest or download hidden by default runs the same steps as a missing one', async () => {
  await administer(service, (admin) =>
    admin.workspaces.update(
      fixture.owner.workspaceId as never,
      { publicKits: 'receipts' },
      { is: 'operator' },
    ),
  )
  for (const name of ['manifest', 'download'] as const) {
    const hidden = PATHS[name]!(fixture)
    const none = hidden.replace(/(kit_).{10}/, '$1AAAAAAAAAA')
    await undisturbed(async () => {
      for (let time = 1; time <= 3; time += 1)
        assert.deepEqual(
          await stepsOf(hidden, 'nobody'),
          await stepsOf(none, 'nobody'),
          `${name}, time ${time}`,
        )
    })
  }
})

/** Compares again if upkeep has written meanwhile: then one of two requests finds its cache empty, and the other does not. */
async function undisturbed(compare: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const seen = writes
    try {
      return await compare()
    } catch (error) {
      if (writes === seen || attempt === 20) throw error
    }
  }
}

/** The statements of one request, without values. */
async function stepsOf(path: string, caller: Caller): Promise<readonly string[]> {
  const key = fixture.keys[caller]
  steps.length = 0
  const response = await fetch(service.base + path, {
    headers: key === undefined ? {} : { 'x-api-key': key },
  })
  await response.bytes()
  assert.match(String(response.status), /^40[14]$/)
  return steps.filter((step) => !BACKGROUND_STATEMENT.test(step))
}
