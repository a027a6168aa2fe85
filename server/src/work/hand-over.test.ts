import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '../open-store.ts'
import { onPostgres } from '../../test/test-database.ts'
import { testService } from '../../test/test-service.ts'
import { until } from '../../test/until.ts'
import { form, workspaceClient } from '../../test/workspace-client.ts'

// Only SQLite shows the values of statements.
const skip = onPostgres && 'PostgreSQL reports statements without their values'

test(
  'an idle worker gets a job in the commit that queues it, and issues its kit once',
  { skip },
  async () => {
    const queued: string[] = []
    const onStatement = (text: string): void =>
      void (text.startsWith(`update jobs set status = 'SUBMITTED'`) && queued.push(text))
    await using service = await testService({}, 'work in a thread', onStatement)
    const client = await workspaceClient(service)
    // The first ones may come before the worker has looked for jobs.
    await until(async () => {
      const id = await client.submission()
      assert.equal((await client.upload(id, form({ 'a.txt': `evidence ${id}` }))).status, 202)
      assert.equal((await client.ended(id))['status'], 'PASS')
      return queued.some((text) => /lease_owner = '/.test(text))
    })
    await using store = await openStore(service.config)
    const jobs = await store.db.selectFrom('jobs').select(['status', 'attempts', 'lease_token']).execute()
    for (const job of jobs) assert.deepEqual(job, { status: 'ISSUED', attempts: 1, lease_token: 1 })
    assert.equal((await store.db.selectFrom('kits').select('kit_id').execute()).length, jobs.length)
  },
)

test('without a worker, a job waits in the queue without a lease', async () => {
  await using service = await testService({ KITSEAL_ROLE: 'api' })
  const client = await workspaceClient(service)
  const id = await client.submission()
  assert.equal((await client.upload(id, form({ 'a.txt': 'evidence' }))).status, 202)
  await using store = await openStore(service.config)
  const jobs = await store.db.selectFrom('jobs').select(['status', 'attempts', 'lease_owner']).execute()
  assert.deepEqual(jobs, [{ status: 'SUBMITTED', attempts: 0, lease_owner: null }])
})
