import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../src/open-store.ts'
import { zipOf } from '../../examiner/test/evidence-samples.ts'
import { checkedClient } from '../../test/kit/http.ts'
import { serviceProcess } from '../../test/kit/service-process.ts'
import { testService, type TestService } from '../../test/kit/service.ts'
import { clientOf, form, workspaceClient } from '../../test/kit/workspace.ts'

const ALLOWED = 2

test('evidence that crashes the process fails after the allowed attempts; submissions processed at the same time are issued', async () => {
  // The first process accepts uploads only. The others do the work, each started when the one before exits, as a service manager would.
  await using front = await testService({ KITSEAL_ROLE: 'api' })
  const client = await workspaceClient(front)
  const bad = await client.submission()
  const good = [await client.submission(), await client.submission()]
  assert.equal((await client.upload(bad, zip('ABORT-PROCESS\n'))).status, 202)
  for (const id of good) assert.equal((await client.upload(id, zip(`sound ${id}\n`))).status, 202)

  await front.service.stop()

  const settings = {
    KITSEAL_DATA: front.dataFolder,
    ...(front.config.databaseUrl === undefined ? {} : { KITSEAL_DATABASE_URL: front.config.databaseUrl }),
    KITSEAL_WORKERS: '3',
    TEST_MAX_ATTEMPTS: String(ALLOWED),
    TEST_LEASE_SECONDS: '2',
    NODE_OPTIONS: `--import=${new URL('./faulty-parsers.ts', import.meta.url).href}`,
  }
  for (let attempt = 1; attempt <= ALLOWED; attempt += 1) {
    assert.equal(await (await serviceProcess(settings)).ended(), 'SIGABRT')
    assert.deepEqual(
      await attemptsOf(front),
      attempt === 1 ? [1, 1, 1] : [2, 1, 1],
      'processed once with others, then alone',
    )
  }
  const service = await serviceProcess(settings)
  const later = clientOf({ call: checkedClient(service.base) }, client.workspaceId, client.key)
  for (const id of good) assert.equal((await later.ended(id))['status'], 'PASS')
  const failed = await later.ended(bad)
  assert.equal(failed['status'], 'FAIL')
  const [blocker] = failed['blockers'] as readonly { code: string; message: string; remedy: string }[]
  assert.equal(blocker?.code, 'attempts_exhausted')
  assert.match(blocker?.message ?? '', new RegExp(`failed ${ALLOWED} times because of an internal error`))
  assert.deepEqual(await later.credits(), { available: 8, held: 0 }, 'a FAIL costs nothing')
  assert.equal((await fetch(`${service.base}/readyz`)).status, 200)
  assert.equal(await service.end('SIGTERM'), 0)
})

const zip = (text: string): FormData => form({ 'e.zip': zipOf({ 'a.txt': text }) })

/** In creation order. */
async function attemptsOf({ config }: TestService): Promise<readonly number[]> {
  await using store = await openStore(config)
  const jobs = await store.db
    .selectFrom('jobs')
    .select('attempts')
    .orderBy('created_at')
    .orderBy('job_id')
    .execute()
  return jobs.map(({ attempts }) => attempts)
}
