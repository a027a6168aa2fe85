// The documented contract: each endpoint, field, status and rule of the public interface, on both databases.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase, type TestDatabase } from '../kit/databases.ts'
import { type TestService, testService } from '../kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../kit/workspace.ts'

const BOUNDARY = 'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.'

type Json = Readonly<Record<string, unknown>>
type Kind = 'string' | 'date-time' | 'integer' | 'boolean' | 'array'

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && value !== '',
  'date-time': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value),
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
}

function assertFields(json: Json, fields: Readonly<Record<string, Kind>>): void {
  for (const [name, kind] of Object.entries(fields))
    assert.ok(IS[kind](json[name]), `${name} is ${JSON.stringify(json[name])}`)
}

function assertError({ status, json }: { status: number; json: Json }, expected: number): void {
  assert.equal(status, expected, JSON.stringify(json))
  assertFields(json, { error: 'string', code: 'string', message: 'string', request_id: 'string' })
  assert.ok(json['boundary'] === undefined || json['boundary'] === BOUNDARY)
}

const JOB = {
  job_id: 'string',
  tenant_id: 'string',
  scope_label: 'string',
  status: 'string',
  boundary: 'string',
} as const
const TIMES = { created_at: 'date-time', updated_at: 'date-time' } as const
const ISSUED = {
  receipt_version: 'string',
  kit_id: 'string',
  job_id: 'string',
  issued_at: 'date-time',
  boundary: 'string',
} as const
const VERDICTS = [
  'manifest_hash_valid',
  'artifact_hashes_valid',
  'receipt_canonical_hash_valid',
  'ed25519_signature_valid',
  'kid_matched',
]
const STATES = new Set(['DRAFT', 'SUBMITTED', 'PASS', 'FAIL', 'ISSUED', 'EXPIRED'])
const NEW_JOB = { tenant_id: 'acme', scope_label: 'Q3 access review' }

onEachDatabase((database) => {
  let stored: TestDatabase
  let service: TestService
  let acme: WorkspaceClient
  before(async () => {
    stored = await database.create()
    service = await testService(stored.settings)
    acme = await workspaceClient(service, { credits: 5 })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await stored[Symbol.asyncDispose]()
  })

  test('an intake job is accepted with 202, is polled, and has a kit when it is ISSUED', async () => {
    const created = await service.post('/v1/intake/jobs', NEW_JOB)
    assert.equal(created.status, 202)
    assertFields(created.json, { ...JOB, ...TIMES })
    assert.ok(STATES.has(String(created.json['status'])))
    assert.equal(created.json['kit_id'] ?? null, null)
    const { jobId, kitId } = await service.issue(NEW_JOB)
    const { status, json } = await service.call(`/v1/intake/jobs/${jobId}`)
    assert.equal(status, 200)
    assertFields(json, { ...JOB, ...TIMES, kit_id: 'string' })
    assert.deepEqual(
      [
        json['job_id'],
        json['tenant_id'],
        json['scope_label'],
        json['status'],
        json['kit_id'],
        json['boundary'],
      ],
      [jobId, 'acme', 'Q3 access review', 'ISSUED', kitId, BOUNDARY],
    )
  })

  test('an issued kit has manifest, receipt and archive, and its key is in the key set', async () => {
    const { jobId, kitId } = await service.issue(NEW_JOB)
    const manifest = (await service.call(`/v1/kits/${kitId}/manifest`)).json
    assertFields(manifest, { ...ISSUED, artifacts: 'array', manifest_sha256: 'string' })
    const artifacts = manifest['artifacts'] as readonly Json[]
    assert.ok(artifacts.length > 0)
    for (const each of artifacts)
      assertFields(each, { path: 'string', sha256: 'string', size_bytes: 'integer' })
    const receipt = (await service.call(`/v1/kits/${kitId}/receipt`)).json
    assertFields(receipt, {
      ...ISSUED,
      issuer: 'string',
      public_key_kid: 'string',
      manifest_sha256: 'string',
      manifest_root_hash: 'string',
      canonical_receipt_sha256: 'string',
      signature: 'string',
      scope: 'string',
    })
    assert.equal(receipt['signature_algorithm'], 'Ed25519')
    for (const each of [manifest, receipt])
      assert.deepEqual([each['kit_id'], each['job_id'], each['boundary']], [kitId, jobId, BOUNDARY])
    assert.equal(receipt['manifest_sha256'], manifest['manifest_sha256'])
    const { keys } = (await service.call('/.well-known/jwks.json')).json as { keys: readonly Json[] }
    assert.ok(keys.some(({ kid }) => kid === receipt['public_key_kid']))
    assert.ok(
      keys.every((key) => key['d'] === undefined),
      'public keys only',
    )
    const archive = await service.call(`/v1/kits/${kitId}/download`)
    assert.deepEqual([archive.status, archive.headers.get('content-type')], [200, 'application/zip'])
    assert.equal(archive.bytes.subarray(0, 2).toString(), 'PK')

    const verified = await service.post('/v1/verify/receipt', receipt)
    assert.deepEqual([verified.status, verified.json['status'], verified.json['errors']], [200, 'PASS', []])
    assert.ok(VERDICTS.every((name) => verified.json[name] === true))
    const failed = await service.post('/v1/verify/receipt', { ...receipt, scope: 'Another' })
    assert.deepEqual([failed.status, failed.json['status'], failed.json['boundary']], [200, 'FAIL', BOUNDARY])
    assertFields(failed.json, {
      ...Object.fromEntries(VERDICTS.map((name) => [name, 'boolean'])),
      errors: 'array',
    })
    assert.ok((failed.json['errors'] as readonly string[]).length > 0)
  })

  test('what is malformed is 400, what is unknown 404, with code, message and request ID', async () => {
    for (const body of ['{', '[]', JSON.stringify({ tenant_id: 'acme' })])
      assertError(await service.post('/v1/intake/jobs', body), 400)
    assertError(await service.post('/v1/verify/receipt', '['), 400)
    for (const path of [
      'intake/jobs/job_none',
      'kits/kit_none/manifest',
      'kits/kit_none/receipt',
      'kits/kit_none/download',
    ])
      assertError(await service.call(`/v1/${path}`), 404)
  })

  test('a submission needs a key and a label, takes a file, and ends PASS with its deliverables for one credit', async () => {
    const json = { 'content-type': 'application/json' }
    const unsigned = { method: 'POST', headers: json, body: JSON.stringify({ label: 'Q3' }) }
    assertError(await service.call('/v1/submissions', unsigned), 401)
    assertError(
      await service.call('/v1/submissions', { ...unsigned, headers: { ...json, 'x-api-key': 'ks_x' } }),
      401,
    )
    assertError(await acme.post('/v1/submissions', { label: 1 }), 400)
    const id = await acme.submission({ label: 'Q3' })
    assert.equal((await acme.get(`/v1/submissions/${id}`)).json['status'], 'PENDING')
    const uploaded = await acme.upload(id, form({ 'users.csv': 'name,role\nann,admin\n' }))
    assert.equal(uploaded.status, 202)
    assert.match(String(uploaded.json['status']), /^(PENDING|RUNNING|PASS)$/)
    const passed = await acme.ended(id)
    assert.equal(passed['status'], 'PASS')
    const deliverables = Object.keys(passed['deliverables'] as object)
    for (const name of ['kit.zip', 'manifest.json', 'receipt.json', 'binder.pdf'])
      assert.ok(deliverables.includes(name), `${name} is not in ${deliverables.join()}`)
    assert.deepEqual(await acme.credits(), { available: 4, held: 0 })
  })

  test('a submission that ends FAIL lists its blockers, has a report, and costs 0 credits', async () => {
    const credits = await acme.credits()
    const id = await acme.submission()
    await acme.upload(id, form({ 'program.exe': 'MZ\u0090\u0000 not allowed' }))
    const failed = await acme.ended(id)
    assert.deepEqual([failed['status'], failed['credits_charged']], ['FAIL', 0])
    assert.ok((failed['blockers'] as readonly Json[]).length > 0)
    assert.equal((await acme.get(`/v1/submissions/${id}/deliverables/fail_report.json`)).status, 200)
    assert.deepEqual(await acme.credits(), credits)
  })
})
