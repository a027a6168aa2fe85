import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestService, testService } from '../kit/service.ts'
import { supplierClient } from '../kit/supplier.ts'
import { type WorkspaceClient, workspaceClient } from '../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

async function ask() {
  const items = [{ id: 'CC6.1', title: 'Users' }]
  const { json } = await acme.post('/v1/requests', {
    title: 'Review',
    items,
    recipients: ['ann@acme.example'],
  })
  return {
    id: String(json['evidence_request_id']),
    supplier: supplierClient(service, (json['link'] as { readonly url: string }).url),
  }
}

test('no write of the link of a request is free, whether it changes anything or not', async () => {
  const { supplier } = await ask()
  const answers = [{ not_applicable: 'None.' }, { not_applicable: null }, { wrong: null }] as const
  let writes = 0
  for (let status = 0; status !== 429; writes += 1) {
    assert.ok(writes <= 1000, 'the writes of a link are limited')
    status = (await supplier.post('/items/CC6.1/answer', answers[writes % 3] ?? {})).status
  }
  for (const [method, path] of [
    ['POST', '/draft'],
    ['PUT', '/sender'],
    ['DELETE', '/files/1'],
    ['POST', '/items/CC6.1/comments'],
  ] as const)
    assert.equal((await supplier.call(path, { method })).status, 429, path)
  assert.equal((await supplier.show()).status, 200, 'reading goes on')
})

test('comments with the link of a request are limited in bytes, and the requester can still answer', async () => {
  const { id, supplier } = await ask()
  const comment = 'ü'.repeat(2000)
  let written = 0
  while ((await supplier.post('/items/CC6.1/comments', { comment })).status === 201) written += 1
  assert.ok(written > 10 && written < 70, String(written))
  const reply = { method: 'POST', headers: { 'x-api-key': acme.key, 'content-type': 'application/json' } }
  const body = JSON.stringify({ comment: 'Enough.' })
  const answered = await service.call(`/v1/requests/${id}/items/CC6.1`, { ...reply, body })
  assert.equal(answered.status, 200, answered.bytes.toString())
})
