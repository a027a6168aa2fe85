import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipOf } from '../../examiner/test/evidence-samples.ts'
import { checkedClient } from '../../test/kit/http.ts'
import { serviceProcess } from '../../test/kit/service-process.ts'
import { testService } from '../../test/kit/service.ts'
import { clientOf, form, workspaceClient } from '../../test/kit/workspace.ts'

/** Twice at once with the others, then after a wait, and once alone. */
const CRASHES = 4

test('evidence that crashes the process is tried less and less often; submissions processed at the same time are issued', async () => {
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
    TEST_LEASE_SECONDS: '2',
    NODE_OPTIONS: `--import=${new URL('./faulty-parsers.ts', import.meta.url).href}`,
  }
  for (let crash = 1; crash <= CRASHES; crash += 1)
    assert.equal(await (await serviceProcess(settings)).ended(), 'SIGABRT')
  // Nobody knows whether the evidence or the machine was the reason, so it does not fail. It waits, and the others are issued.
  const service = await serviceProcess(settings)
  const later = clientOf({ call: checkedClient(service.base) }, client.workspaceId, client.key)
  for (const id of good) assert.equal((await later.ended(id))['status'], 'PASS')
  const { json } = await later.get(`/v1/submissions/${bad}`)
  assert.deepEqual([json['status'], (json['waiting'] as { reason: string }).reason], ['PENDING', 'queue'])
  assert.equal((await fetch(`${service.base}/readyz`)).status, 200)
  assert.equal(await service.end('SIGTERM'), 0)
})

const zip = (text: string): FormData => form({ 'e.zip': zipOf({ 'a.txt': text }) })
