import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'

test('a draft job needs a key, and with one it is a submission in draft', async () => {
  await using service = await testService()
  const acme = await workspaceClient(service)
  const draft = { tenant_id: acme.workspaceId, scope_label: 'Q3', status: 'DRAFT' }
  const refused = await service.post('/v1/intake/jobs', draft)
  assert.deepEqual([refused.status, refused.json['param']], [400, 'status'])
  assert.match(String(refused.json['message']), /DRAFT needs an API key/)

  const { job_id } = (await acme.post('/v1/intake/jobs', draft)).json
  const id = await acme.submission({ job_id })
  assert.equal((await acme.upload(id, form({ 'users.csv': 'name\nann\n' }))).status, 202)
  assert.equal((await acme.ended(id))['status'], 'PASS')
  assert.equal((await service.call(`/v1/intake/jobs/${String(job_id)}`)).json['status'], 'ISSUED')
})
