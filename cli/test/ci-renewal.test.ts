import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, mock, test } from 'node:test'
import { startProxy } from '../../client/test/proxy.ts'
import { close, listen, type Provider, startProvider } from '../../test/kit/ci-provider.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { type WorkspaceClient, workspaceClient } from '../../test/kit/workspace.ts'
import { ciKey } from '../src/ci-key.ts'
import { main } from '../src/main.ts'

const MINUTE_MS = 60_000

let now = 0
let service: TestService
let owner: WorkspaceClient
let provider: Provider
let jobUrl = ''
let given = 0
/** As GitHub gives a token to a job, as often as it asks. */
const jobs = createServer(async (request, response) => {
  given += 1
  const audience = new URL(request.url ?? '', jobUrl).searchParams.get('audience') ?? ''
  response.end(JSON.stringify({ value: await provider.token(audience) }))
})
before(async () => {
  provider = await startProvider({ lifeSeconds: 2 * 60 * 60 })
  jobUrl = await listen(jobs)
  now = Date.now()
  service = await testService({ KITSEAL_FEDERATION_ALLOW: '127.0.0.1' }, { now: () => now })
  owner = await workspaceClient(service)
})
beforeEach(() => {
  given = 0
  // Other files of the process may have run for minutes since this one was loaded, and tokens are as old as they are.
  now = Date.now()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await provider.stop()
  await close(jobs)
})

async function environment(audience: string): Promise<Record<string, string>> {
  const claims = [{ claim: 'repository', equals: 'acme/evidence' }]
  const body = { label: 'CI', issuer: provider.issuer, audience, claims }
  const federation = (await owner.post('/v1/federation', body)).json['federation_id']
  return {
    KITSEAL_FEDERATION_ID: String(federation),
    ACTIONS_ID_TOKEN_REQUEST_URL: `${jobUrl}/token?api-version=2`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job-secret',
  }
}

const pass = (minutes: number): void => {
  now += minutes * MINUTE_MS
}

test('an upload that lasts longer than the key of its job is finished with a new key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-renewal-'))
  const slowed = new Set<string>()
  await using slow = await startProxy(service.base, ({ method = '', url = '' }) => {
    // Before the file arrives, and before the evidence is submitted.
    const step = method === 'PATCH' || url.endsWith('/evidence') ? method : ''
    if (step !== '' && !slowed.has(step)) pass(16)
    slowed.add(step)
    return false
  })
  let shown = ''
  const output = { write: (text: string) => void (shown += text) }
  try {
    writeFileSync(join(folder, 'large.log'), 'one line of a log\n'.repeat(1_000_000))
    const env = { ...(await environment(slow.base)), HOME: folder, KITSEAL_URL: slow.base }
    const { kid } = await service.service.signingKeys.activeSigner()
    const files = ['--kid', kid, '--out', folder, '--outputs', join(folder, 'outputs')]
    const code = await main(['submit', join(folder, 'large.log'), ...files], {
      env,
      stdout: output,
      stderr: output,
    })
    assert.equal(code, 0, shown)
    assert.match(readFileSync(join(folder, 'outputs'), 'utf8'), /^status=PASS$/m)
    assert.equal(given, 3, 'two tokens more')
    assert.doesNotMatch(shown, /ks_key_/)
  } finally {
    now = Date.now()
    rmSync(folder, { recursive: true })
  }
})

test('a key is renewed before it ends; a token of GitLab or Jenkins, of which there is one, renews it too', async () => {
  const env = await environment(service.base)
  const single = {
    KITSEAL_FEDERATION_ID: env['KITSEAL_FEDERATION_ID'],
    KITSEAL_ID_TOKEN: await provider.token(service.base),
  }
  mock.timers.enable({ apis: ['Date'], now })
  try {
    for (const [job, tokens] of [
      [env, 3],
      [single, 0],
    ] as const) {
      const key = (await ciKey(service.base, job))!
      const ask = async (): Promise<number> => (await key.fetch(`${service.base}/v1/credits`)).status
      given = tokens === 0 ? 0 : given
      for (const minutes of [1, 9, 10]) {
        pass(minutes)
        mock.timers.setTime(now)
        assert.equal(await ask(), 200)
      }
      assert.equal(given, tokens)
      pass(30)
      // The clock of this machine stands still, so that the service refuses the key first.
      assert.equal(await ask(), tokens === 0 ? 401 : 200)
    }
  } finally {
    mock.timers.reset()
    now = Date.now()
  }
})

test('a stream that was refused is not sent again by itself: the client continues it', async () => {
  const key = (await ciKey(service.base, await environment(service.base)))!
  pass(16)
  const body = new Blob(['x']).stream()
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit
  await assert.rejects(key.fetch(`${service.base}/v1/submissions`, init), /had ended and was renewed/)
  assert.equal((await key.fetch(`${service.base}/v1/credits`)).status, 200)
  now = Date.now()
})
