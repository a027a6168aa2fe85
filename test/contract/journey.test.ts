// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseJwks, parseStrictJson, trustKeys, verifyKit } from '@kitseal/kit'
import { nodeHost, openKit } from '@kitseal/kit/node'
import { type TestService, testService } from '../kit/service.ts'
import { workspaceClient } from '../kit/workspace.ts'

let service: TestService

before(async () => {
  service = await testService()
})
after(() => service[Symbol.asyncDispose]())

test('create, poll, get manifest, receipt and keys, verify: PASS', async () => {
  const created = await service.post('/v1/intake/jobs', {
    tenant_id: 'acme',
    scope_label: 'Q3 access review',
  })
  assert.equal(created.status, 202)
  assert.equal(created.json['status'], 'SUBMITTED')
  assert.equal(created.headers.get('location'), `/v1/intake/jobs/${String(created.json['job_id'])}`)

  const { jobId, kitId } = await service.issue({ tenant_id: 'acme', scope_label: 'Q3 access review' })
  const manifest = (await service.call(`/v1/kits/${kitId}/manifest`)).json
  const receipt = (await service.call(`/v1/kits/${kitId}/receipt`)).json
  const jwks = (await service.call('/.well-known/jwks.json')).json as { keys: { kid: string }[] }
  assert.equal(manifest['job_id'], jobId)
  assert.equal(receipt['manifest_sha256'], manifest['manifest_sha256'])
  assert.equal(receipt['scope'], 'Q3 access review')
  assert.equal(receipt['issuer'], service.base)
  assert.deepEqual(
    jwks.keys.map((key) => key.kid),
    [receipt['public_key_kid']],
  )

  const result = await service.post('/v1/verify/receipt', receipt)
  assert.equal(result.status, 200)
  const { boundary, checks, signer, ...held } = result.json
  assert.ok((checks as { result: string }[]).every((check) => check.result === 'pass'))
  assert.deepEqual(signer, {
    kid: receipt['public_key_kid'],
    trust: 'jwks',
    key_from: { source: 'site', host: new URL(service.base).host },
  })
  assert.deepEqual(held, {
    status: 'PASS',
    manifest_hash_valid: true,
    artifact_hashes_valid: true,
    receipt_canonical_hash_valid: true,
    ed25519_signature_valid: true,
    kid_matched: true,
    errors: [],
    error_messages: [],
    verdict: 'verified',
  })
  assert.equal(boundary, receipt['boundary'])
})

test('a downloaded kit verifies offline with the key set of the service', async () => {
  const { kitId } = await service.issue()
  const download = await service.call(`/v1/kits/${kitId}/download`)
  assert.equal(download.headers.get('content-type'), 'application/zip')
  const file = join(service.dataFolder, 'kit.zip')
  writeFileSync(file, download.bytes)
  const keys = parseJwks(parseStrictJson((await service.call('/.well-known/jwks.json')).bytes))
  assert.ok(keys.ok)
  const report = await verifyKit(await openKit(file), trustKeys(keys.value), nodeHost)
  assert.deepEqual([report.status, report.errors], ['PASS', []])
})

test('a complete IntakeJob is accepted, and members that the service assigns are ignored', async () => {
  const sent = {
    job_id: 'job_mine',
    tenant_id: 'acme',
    scope_label: 'all members',
    status: 'SUBMITTED',
    created_at: '2020-02-29T12:00:00+01:00',
    updated_at: '2020-01-01T00:00:00Z',
    kit_id: null,
    boundary: 'mine',
  }
  const { status, json } = await service.post('/v1/intake/jobs', sent)
  assert.equal(status, 202)
  assert.notEqual(json['job_id'], sent.job_id)
  assert.notEqual(json['boundary'], sent.boundary)
  assert.ok(String(json['created_at']) > '2025')
})

test('a draft stays a draft, without a kit', async () => {
  const acme = await workspaceClient(service)
  const { json } = await acme.post('/v1/intake/jobs', {
    tenant_id: acme.workspaceId,
    scope_label: 'b',
    status: 'DRAFT',
  })
  const draft = await service.call(`/v1/intake/jobs/${String(json['job_id'])}`)
  assert.equal(draft.json['status'], 'DRAFT')
  assert.equal(draft.json['kit_id'] ?? null, null)
  assert.ok(Number(draft.headers.get('retry-after')) > 0)
})

test('labels in any script, up to 200 characters, are returned unchanged', async () => {
  for (const scope_label of ['監査証跡 – Überprüfung 🧾', '🧾'.repeat(200), '"\\/<script>', '__proto__']) {
    const { kitId } = await service.issue({ tenant_id: 'ténant', scope_label })
    assert.equal((await service.call(`/v1/kits/${kitId}/receipt`)).json['scope'], scope_label)
  }
})

test('IDs are unique and have at least 128 random bits', async () => {
  const ids = new Set<string>()
  for (let round = 0; round < 20; round += 1) {
    const { json, headers } = await service.post('/v1/intake/jobs', { tenant_id: 'a', scope_label: 'b' })
    ids.add(String(json['job_id'])).add(headers.get('x-request-id') ?? '')
  }
  assert.equal(ids.size, 40)
  for (const id of ids) assert.match(id, /^(job|req)_[\w-]{22,}$/)
})

test('a final job has no Retry-After, and HEAD works like GET without a body', async () => {
  const { jobId } = await service.issue()
  const got = await service.call(`/v1/intake/jobs/${jobId}`)
  assert.equal(got.headers.get('retry-after'), null)
  const head = await service.call(`/v1/intake/jobs/${jobId}`, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(head.bytes.length, 0)
  assert.equal(head.headers.get('content-length'), got.headers.get('content-length'))
})

test('a kit is the same bytes at every download', async () => {
  const { kitId } = await service.issue()
  const digests = new Set<string>()
  for (let round = 0; round < 2; round += 1) {
    const { bytes } = await service.call(`/v1/kits/${kitId}/download`)
    digests.add(createHash('sha256').update(bytes).digest('hex'))
  }
  assert.equal(digests.size, 1)
})

test('If-None-Match returns 304 and a failed If-Match 412', async () => {
  const { kitId } = await service.issue()
  for (const path of ['/.well-known/jwks.json', ...['manifest', 'receipt', 'download'].map(ofKit)]) {
    const etag = (await service.call(path)).headers.get('etag') ?? ''
    const statusWith = async (name: string, value: string): Promise<number> =>
      (await service.call(path, { headers: { [name]: value } })).status
    assert.equal(await statusWith('if-none-match', `"other", W/${etag}`), 304, path)
    assert.equal(await statusWith('if-none-match', '"other"'), 200, path)
    assert.equal(await statusWith('if-match', etag), 200, path)
    assert.equal(await statusWith('if-match', '"other"'), 412, path)
  }
  function ofKit(name: string): string {
    return `/v1/kits/${kitId}/${name}`
  }
})
