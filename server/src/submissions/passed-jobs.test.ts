// Again on PostgreSQL: its transactions overlap where those of SQLite wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { isShared } from '../database/dialect.ts'
import { createTrigger } from '../database/create-schema.ts'
import { openStore } from '../open-store.ts'
import { startService } from '../services.ts'
import { testService, type TestService } from '../../../test/kit/service.ts'
import { checkedClient } from '../../../test/kit/http.ts'
import { until } from '../../../test/kit/until.ts'
import { clientOf, form, workspaceClient } from '../../../test/kit/workspace.ts'

const HELD = { name: 'log_held', on: 'log' } as const

/** Keeps the log from growing, so that jobs stay PASS. */
async function holdLog({ config }: TestService): Promise<AsyncDisposable> {
  const store = await openStore(config)
  await createTrigger(store.db, {
    ...HELD,
    event: 'update',
    when: 'true',
    does: { reject: 'held by a test' },
  })
  return {
    [Symbol.asyncDispose]: async () => {
      const on = isShared(store.db) ? sql` on log` : sql``
      await sql`drop trigger log_held${on}`.execute(store.db)
      await store[Symbol.asyncDispose]()
    },
  }
}

test('a kit that is not in the log yet is visible nowhere, and is issued after a restart', async () => {
  await using service = await testService()
  const client = await workspaceClient(service)
  const id = await client.submission()
  let kitId = ''
  let receipt = ''
  {
    await using held = await holdLog(service)
    assert.ok(held)
    await client.upload(id, form({ 'a.txt': 'evidence' }))
    await using store = await openStore(service.config)
    const passed = () =>
      store.db
        .selectFrom('submissions')
        .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
        .select(['submissions.job_id', 'kits.kit_id', 'kits.receipt'])
        .where('submissions.status', '=', 'PASS')
        .executeTakeFirst()
    await until(async () => (await passed()) !== undefined)
    const row = await passed()
    assert.ok(row !== undefined)
    kitId = row.kit_id
    receipt = row.receipt
    const job = await client.get(`/v1/intake/jobs/${row.job_id}`)
    assert.deepEqual([job.json['status'], job.json['kit_id']], ['PASS', null])
    assert.ok(job.headers.has('retry-after'))
    const record = await client.get(`/v1/submissions/${id}`)
    assert.deepEqual([record.json['status'], record.json['kit_id']], ['RUNNING', null])
    assert.deepEqual(record.json['deliverables'], {})
    for (const path of ['manifest', 'receipt', 'download', 'log-proof'])
      assert.equal((await client.get(`/v1/kits/${kitId}/${path}`)).status, 404, path)
    assert.equal((await client.get(`/v1/submissions/${id}/deliverables/kit.zip`)).status, 404)
    const verdict = await client.post('/v1/verify/receipt', receipt, { 'content-type': 'application/json' })
    assert.equal(verdict.json['status'], 'FAIL')
    assert.deepEqual((await client.credits()).held, 1)
    await service.service.stop()
  }
  const restarted = await startService(service.config, { log: { write: () => true } })
  try {
    const again = clientOf({ call: checkedClient(restarted.address) }, client.workspaceId, client.key)
    const ended = await again.ended(id)
    assert.deepEqual([ended['status'], ended['kit_id']], ['PASS', kitId])
    assert.equal((await again.credits()).held, 0)
    const verdict = await again.post('/v1/verify/receipt', receipt, { 'content-type': 'application/json' })
    assert.equal(verdict.json['status'], 'PASS')
  } finally {
    await restarted.stop()
  }
})
