import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sampleIssuer } from '../../../examiner/test/sample-kits.ts'
import { type TestService, testService } from '../../kit/service.ts'
import { administer, form, type WorkspaceClient, workspaceClient } from '../../kit/workspace.ts'

let service: TestService
let acme: WorkspaceClient

before(async () => {
  service = await testService()
  acme = await workspaceClient(service)
})
after(() => service[Symbol.asyncDispose]())

const put = (path: string, body: object) =>
  service.call(path, {
    method: 'PUT',
    headers: { 'x-api-key': acme.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

interface Result {
  readonly status: string
  readonly kit_id: string
  readonly findings: readonly Readonly<Record<string, string>>[]
}

async function submitted(
  client: WorkspaceClient,
  files: Record<string, string | Uint8Array>,
): Promise<Result> {
  const id = await client.submission()
  await client.upload(id, form(files))
  return (await client.ended(id)) as unknown as Result
}

const found = ({ findings }: Result): readonly string[] =>
  findings.map((finding) => `${finding['class']} ${finding['code']} ${finding['path']}`)

async function kitZip(kitId: string): Promise<Uint8Array> {
  const { bytes } = await service.call(`/v1/kits/${kitId}/download`, { headers: { 'x-api-key': acme.key } })
  return bytes
}

test('a kit of this service is verified as evidence, and so is the kit in it', async () => {
  const first = await submitted(acme, { 'users.csv': 'name\nAda\n' })
  const second = await submitted(acme, { 'first.zip': await kitZip(first.kit_id) })
  assert.deepEqual(found(second), ['notice kit_verified first.zip'])
  const third = await submitted(acme, { 'second.zip': await kitZip(second.kit_id) })
  assert.deepEqual(found(third), [
    'notice kit_verified second.zip',
    `notice kit_verified second.zip/${second.kit_id}/data/first.zip`,
  ])
})

test('a kit of another issuer is verified once the workspace pins its key', async () => {
  const other = sampleIssuer('https://other.example')
  const zip = await other.seal({ 'a.txt': 'a' })
  assert.deepEqual(found(await submitted(acme, { 'q1.zip': zip })), ['notice kit_unconfirmed q1.zip'])

  const kid = other.keySet.keys[0]?.kid ?? ''
  const pinned = await put('/v1/trust', { data: [{ issuer: 'https://other.example', kid }] })
  assert.equal(pinned.status, 200, JSON.stringify(pinned.json))
  assert.deepEqual(found(await submitted(acme, { 'q1.zip': zip })), ['notice kit_verified q1.zip'])
  const forged = await sampleIssuer('https://other.example').seal({ 'a.txt': 'a' })
  assert.equal(found(await submitted(acme, { 'q1.zip': forged }))[0], 'damage kit_forged q1.zip')

  const { data: pins } = (await acme.get('/v1/trust')).json as { data: readonly Record<string, string>[] }
  assert.deepEqual(
    pins.map((pin) => [pin['issuer'], pin['kid']]),
    [['https://other.example', kid]],
  )
})

test('a pinned key must have the key ID beside it', async () => {
  const [key] = sampleIssuer('https://other.example').keySet.keys
  const [another] = sampleIssuer('https://other.example').keySet.keys
  const pin = { issuer: 'https://other.example', kid: another?.kid, key }
  assert.equal((await put('/v1/trust', { data: [pin] })).status, 400)
  assert.equal((await put('/v1/trust', { data: [{ issuer: 'other', kid: key?.kid }] })).status, 400)
})

test('the policy of a plan makes findings stricter, and examined_only rejects files that are not examined', async () => {
  await administer(service, async ({ plans }) => {
    await plans.create('strict', {
      policy: { evidence: 'examined_only', classes: { script_content: 'damage', malformed_pdf: 'danger' } },
    })
  })
  const strict = await workspaceClient(service, { plan: 'strict' })
  const files = {
    'a.sh': '#!/bin/sh',
    'b.pdf': '%PDF-1.4\ntruncated',
    'c.mp3': Buffer.from('494433040000000000', 'hex'),
  }
  const result = await submitted(strict, files)
  assert.equal(result.status, 'FAIL')
  assert.deepEqual(found(result), [
    'damage script_content a.sh',
    'danger malformed_pdf b.pdf',
    'danger unsupported_type c.mp3',
  ])
  assert.deepEqual(found(await submitted(acme, { 'c.mp3': files['c.mp3'] })), [
    'notice unsupported_type c.mp3',
  ])
})
