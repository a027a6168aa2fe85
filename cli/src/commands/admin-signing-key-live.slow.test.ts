import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readConfig, startService } from '@kitseal/server'
import { run } from './admin-signing-key.ts'

interface Receipt {
  readonly public_key_kid: string
  readonly issued_at: string
}

test('a running service picks up a rotated key without losing a job', async () => {
  await using place = await runningService()
  const before = await place.issue()
  const jobs = Array.from({ length: 8 }, place.issue)
  assert.equal(await place.admin('rotate'), 0)
  await place.until((kids) => kids[0] !== before.public_key_kid)
  const after = await place.issue()
  assert.notEqual(after.public_key_kid, before.public_key_kid)
  const receipts = [before, ...(await Promise.all(jobs)), after]
  for (const receipt of receipts) assert.equal(await place.verify(receipt), 'PASS')
  assert.deepEqual(
    new Set(receipts.map((receipt) => receipt.public_key_kid)),
    new Set([before.public_key_kid, after.public_key_kid]),
  )
})

test('kits of a revoked key FAIL on a running service, and sealing continues', async () => {
  await using place = await runningService()
  const before = await place.issue()
  assert.equal(await place.verify(before), 'PASS')
  assert.equal(await place.admin('revoke', before.public_key_kid), 0)
  await place.until((kids) => !kids.includes(before.public_key_kid))
  assert.equal(await place.verify(before), 'FAIL')
  const after = await place.issue()
  assert.notEqual(after.public_key_kid, before.public_key_kid)
  assert.equal(await place.verify(after), 'PASS')
})

async function runningService() {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-live-'))
  const env = {
    KITSEAL_DATA: join(folder, 'data'),
    KITSEAL_PORT: '0',
    KITSEAL_RATE_LIMIT: 'off',
    KITSEAL_LOG_LEVEL: 'silent',
  }
  const config = readConfig(env)
  assert.ok(config.ok)
  const silent = { write: () => true }
  const service = await startService(config.value, { log: silent })
  const ask = async (path: string, body?: object): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${service.address}${path}`, sent)).json() as Promise<Record<string, string>>
  }
  return {
    admin: (...args: readonly string[]) => run(args, { env, stdout: silent, stderr: silent }),
    /** Returns when the published keys are as they should be; fails where they never are. */
    async until(holds: (kids: readonly string[]) => boolean): Promise<void> {
      for (;;) {
        const { keys } = (await ask('/.well-known/jwks.json')) as unknown as {
          keys: readonly { kid: string }[]
        }
        if (holds(keys.map((key) => key.kid))) return
        await wait(100)
      }
    },
    verify: async (receipt: object) => (await ask('/v1/verify/receipt', receipt))['status'],
    async issue(): Promise<Receipt & Record<string, string>> {
      const { job_id } = await ask('/v1/intake/jobs', { tenant_id: 'tenant', scope_label: 'scope' })
      for (;;) {
        const job = await ask(`/v1/intake/jobs/${job_id}`)
        if (job['status'] === 'ISSUED') {
          return (await ask(`/v1/kits/${job['kit_id']}/receipt`)) as Receipt & Record<string, string>
        }
        assert.match(job['status'] ?? '', /^(SUBMITTED|PASS)$/)
        await wait(50)
      }
    },
    async [Symbol.asyncDispose]() {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
