import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

test('below the space that is kept free, uploads are 507, and all else works', async () => {
  await using service = await testService({ KITSEAL_MIN_FREE_BYTES: '999999999999999' })
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  const refused = await acme.upload(id, form({ 'a.txt': 'a' }))
  assert.deepEqual([refused.status, refused.json['code']], [507, 'storage_full'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const kit = await service.call('/v1/verify/kit', {
    method: 'POST',
    body: 'zip',
    headers: { 'content-type': 'application/zip' },
  })
  assert.equal(kit.status, 507)
  assert.equal((await service.call('/readyz')).status, 200)
  await service.issue()
})

test('with enough space, uploads are taken', async () => {
  await using service = await testService({ KITSEAL_MIN_FREE_BYTES: '0' })
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  assert.equal((await acme.upload(id, form({ 'a.txt': 'a' }))).status, 202)
})
