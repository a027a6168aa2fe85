import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type CustodyRecord,
  type JsonValue,
  parseCustodyRecord,
  parsePolicy,
  verifyAuditLog,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { samplePages } from '../../test/sample-pages.ts'
import { type TestService, testService } from '../../test/test-service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../test/workspace-client.ts'

const pages = samplePages()
let service: TestService
let acme: WorkspaceClient
let kitId: string
let submissionId: string
before(async () => {
  service = await testService({}, undefined, { pages: pages.folder })
  acme = await workspaceClient(service)
  submissionId = await acme.submission({ label: 'Q3 <access> review' })
  await acme.upload(submissionId, form({ 'a.txt': 'a' }))
  kitId = String((await acme.ended(submissionId))['kit_id'])
  const another = await acme.submission()
  await acme.upload(another, form({ 'b.txt': 'b' }))
  await acme.ended(another)
  const made = await acme.post('/v1/shares', {
    kit_id: kitId,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const url = String(made.json['url'])
  await fetch(`${url}/share.json`)
  await (await fetch(`${url}/kit.zip`)).arrayBuffer()
  await acme.get(`/v1/kits/${kitId}/download`)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  pages[Symbol.dispose]()
})

const recordOf = async (): Promise<CustodyRecord> => {
  const parsed = parseCustodyRecord((await acme.get(`/v1/kits/${kitId}/custody.json`)).json as JsonValue)
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parsed.value
}

test('a custody record has every event of its kit, from creation to the last download, and an export confirms it', async () => {
  const record = await recordOf()
  assert.deepEqual(
    record.events.map(({ action }) => action),
    [
      'submission.created',
      'submission.sealed',
      'submission.passed',
      'share.created',
      'share.opened',
      'share.downloaded',
      'deliverable.downloaded',
    ],
  )
  assert.equal('audit_secret' in record.head, false)
  const policy = parsePolicy((await service.call('/log/policy')).bytes, nodeHost.digest)
  const exported = (await acme.get('/v1/audit/export')).bytes
  const compare = (custody: CustodyRecord) => verifyAuditLog([exported], { policy, custody }, nodeHost)
  assert.deepEqual((await compare(record)).errors, [])
  assert.equal((await compare(record)).status, 'PASS')
  const without = { ...record, events: record.events.filter(({ action }) => action !== 'share.downloaded') }
  assert.match((await compare(without)).errors.join(), /missing from the custody record/)
})

test('the custody record is also a PDF, with a draft certification if one is asked for', async () => {
  const plain = await acme.get(`/v1/kits/${kitId}/custody.pdf`)
  assert.equal(plain.headers.get('content-type'), 'application/pdf')
  assert.equal(plain.bytes.subarray(0, 5).toString(), '%PDF-')
  const draft = await acme.get(`/v1/kits/${kitId}/custody.pdf?certification=draft`)
  assert.ok(draft.bytes.length > plain.bytes.length)
  assert.equal((await acme.get(`/v1/kits/${kitId}/custody.pdf?certification=final`)).status, 400)
})

test('a custody record is for the workspace of the kit', async () => {
  const other = await workspaceClient(service)
  for (const name of ['custody.json', 'custody.pdf']) {
    assert.equal((await other.get(`/v1/kits/${kitId}/${name}`)).status, 404, name)
    assert.equal((await service.call(`/v1/kits/${kitId}/${name}`)).status, 401, name)
    assert.equal((await acme.get(`/v1/kits/kit_unknown/${name}`)).status, 404, name)
  }
})
