import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  erasureLeaf,
  type Erasure,
  fromUtf8,
  type JsonValue,
  leafBytes,
  parseEntryBundle,
  parseCheckpoint,
  parseJwks,
  type Receipt,
  verifyErasure,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { testClock } from '../../kit/clock.ts'
import { member } from '../../kit/console.ts'
import { sameStore, type TestService, testService } from '../../kit/service.ts'
import { filesWith } from '../../kit/stored-files.ts'
import { until } from '../../kit/until.ts'
import { administer, form, workspaceClient, type WorkspaceClient } from '../../kit/workspace.ts'

const clock = testClock()
let service: TestService
let acme: WorkspaceClient
before(async () => {
  service = await testService({}, clock)
  await administer(service, (admin) => admin.plans.create('short', { retentionDays: 30 }))
  acme = await workspaceClient(service, { plan: 'short', credits: 50 })
})
after(() => service[Symbol.asyncDispose]())

/** Moves the clock, and runs what is due then. */
async function pass(by: { readonly days?: number; readonly hours?: number }): Promise<void> {
  clock.advance(by)
  await service.service.runDue()
}

const call = (method: string, path: string, body?: unknown) =>
  service.call(path, {
    method,
    headers: {
      'x-api-key': acme.key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

async function issued(name: string): Promise<{ readonly id: string; readonly kitId: string }> {
  const id = await acme.submission()
  await acme.upload(id, form({ [name]: `content of ${name}` }))
  return { id, kitId: String((await acme.ended(id))['kit_id']) }
}

const actions = async (subject: string): Promise<readonly unknown[]> =>
  ((await acme.get(`/v1/audit?subject=${subject}`)).json['data'] as { action: string }[])
    .map(({ action }) => action)
    .toReversed()

async function assertProven(kitId: string): Promise<Erasure> {
  const erasure = (await service.call(`/v1/kits/${kitId}/erasure`)).json
  const receipt = (await service.call(`/v1/kits/${kitId}/receipt`)).json as unknown as Receipt
  const keys = parseJwks((await service.call('/.well-known/jwks.json')).json as JsonValue)
  assert.ok(keys.ok)
  assert.deepEqual(await verifyErasure(erasure as JsonValue, receipt, keys.value, nodeHost), [])
  for (const changed of [{ ...erasure, files: 9 }, { ...erasure, receipt_sha256: '0'.repeat(64) }, {}])
    assert.ok((await verifyErasure(changed as JsonValue, receipt, keys.value, nodeHost)).length > 0)
  const leaf = fromUtf8(leafBytes(erasureLeaf(erasure as unknown as Erasure, nodeHost.digest)))
  await until(async () => {
    const { size } = parseCheckpoint((await service.call('/log/checkpoint')).bytes)
    const entries = parseEntryBundle((await service.call(`/log/tile/entries/000.p/${size}`)).bytes)
    return entries.some((entry) => fromUtf8(entry) === leaf)
  })
  return erasure as unknown as Erasure
}

test('in the console, only owners place holds and delete', async () => {
  const { id } = await issued('console.txt')
  for (const role of ['viewer', 'member'] as const) {
    const user = await member(service, role, acme.workspaceId)
    assert.equal((await user.send('PUT', `/v1/submissions/${id}/hold`, { reason: 'x' })).status, 403)
    assert.equal((await user.send('DELETE', `/v1/submissions/${id}`)).status, 403)
  }
  const owner = await member(service, 'owner', acme.workspaceId)
  assert.equal((await owner.send('PUT', `/v1/submissions/${id}/hold`, { reason: 'x' })).status, 200)
  assert.equal((await owner.send('DELETE', `/v1/submissions/${id}`)).status, 409)
  for (const body of [{}, { reason: '' }, { reason: 'x', more: 1 }, { reason: 'two\nlines' }])
    assert.equal((await call('PUT', `/v1/submissions/${id}/hold`, body)).status, 400)
})

test('a legal hold beats retention and deletion until it is released', async () => {
  const { id, kitId } = await issued('held.txt')
  const held = await call('PUT', `/v1/submissions/${id}/hold`, { reason: 'Case 7' })
  assert.equal((held.json['hold'] as { reason: string }).reason, 'Case 7')
  await pass({ days: 31 })
  const refused = await call('DELETE', `/v1/submissions/${id}`)
  assert.deepEqual([refused.status, refused.json['code']], [409, 'submission_held'])
  assert.equal((await acme.get(`/v1/kits/${kitId}/download`)).status, 200)
  assert.equal((await service.call(`/v1/kits/${kitId}/erasure`)).status, 404)
  assert.equal((await call('DELETE', `/v1/submissions/${id}/hold`)).status, 204)
  assert.equal((await acme.get(`/v1/submissions/${id}`)).json['hold'], null)
  assert.equal((await call('DELETE', `/v1/submissions/${id}/hold`)).status, 204, 'without a hold')
  await pass({ hours: 1 })
  assert.equal((await acme.get(`/v1/submissions/${id}`)).json['status'], 'EXPIRED')
  const erasure = await assertProven(kitId)
  assert.deepEqual([erasure.reason, erasure.files, erasure.bytes], ['retention', 1, 19])
  assert.match(erasure.rule ?? '', /^30 days .* plan short$/)
  const late = await call('PUT', `/v1/submissions/${id}/hold`, { reason: 'too late' })
  assert.deepEqual([late.status, late.json['code']], [409, 'evidence_gone'])
  assert.deepEqual((await actions(id)).slice(-2), ['submission.held', 'submission.released'])
})

test('deletion on request erases the evidence, and keeps manifest, receipt, proof and a signed record', async () => {
  const { id, kitId } = await issued('deleted.txt')
  const manifest = (await acme.get(`/v1/kits/${kitId}/manifest`)).bytes
  assert.equal((await call('DELETE', `/v1/submissions/${id}`)).status, 204)
  const deleted = await acme.get(`/v1/submissions/${id}`)
  assert.equal(deleted.json['status'], 'EXPIRED')
  const shown = deleted.json['erasure'] as Erasure
  assert.deepEqual([shown.reason, shown.rule, shown.files], ['request', null, 1])
  assert.match(shown.ordered_by ?? '', /^key:key_/)
  assert.equal((await call('DELETE', `/v1/submissions/${id}`)).status, 204, 'a second time')
  await assertProven(kitId)
  assert.deepEqual((await acme.get(`/v1/kits/${kitId}/manifest`)).bytes, manifest)
  assert.equal((await acme.get(`/v1/kits/${kitId}/log-proof`)).status, 200)
  const receipt = (await acme.get(`/v1/kits/${kitId}/receipt`)).bytes
  const verified = await service.post('/v1/verify/receipt', receipt.toString())
  assert.equal(verified.json['ed25519_signature_valid'], true)
  assert.deepEqual((await actions(id)).slice(-1), ['submission.erased'])
  assert.equal(filesWith(service, 'content of deleted.txt').length, 1)
  for (let times = 0; times < 4; times += 1) await pass({ days: 1 })
  assert.deepEqual(filesWith(service, 'content of deleted.txt'), [], 'its bytes are gone')
})

test('drafts and failed submissions can be deleted, running ones cannot, and no credit is charged', async () => {
  const draft = await acme.submission()
  await acme.upload(draft, form({ 'draft.txt': 'x' }, { final: 'false' }))
  assert.equal((await call('DELETE', `/v1/submissions/${draft}`)).status, 204)
  const deleted = await acme.get(`/v1/submissions/${draft}`)
  assert.deepEqual([deleted.json['status'], deleted.json['credits_charged']], ['EXPIRED', 0])
  assert.equal((await acme.upload(draft, form({ 'more.txt': 'x' }))).status, 409)
  const failed = await acme.submission({ profile: 'default' })
  await acme.upload(failed, form({ 'program.exe': 'MZ\u0090\u0000 not allowed' }))
  assert.equal((await acme.ended(failed))['status'], 'FAIL')
  assert.equal((await call('PUT', `/v1/submissions/${failed}/hold`, { reason: 'x' })).status, 200)
  assert.equal((await call('DELETE', `/v1/submissions/${failed}`)).status, 409)
  await call('DELETE', `/v1/submissions/${failed}/hold`)
  assert.equal((await call('DELETE', `/v1/submissions/${failed}`)).status, 204)
  assert.equal((await acme.get(`/v1/submissions/${failed}`)).json['status'], 'EXPIRED')
  assert.deepEqual((await actions(failed)).slice(-1), ['submission.deleted'])
})

test('a draft that is never submitted expires 30 days after its last upload, unless it is held', async () => {
  const [draft, held] = [await acme.submission(), await acme.submission()]
  await call('PUT', `/v1/submissions/${held}/hold`, { reason: 'x' })
  await pass({ days: 29 })
  assert.equal((await acme.get(`/v1/submissions/${draft}`)).json['status'], 'PENDING')
  await pass({ days: 2 })
  assert.equal((await acme.get(`/v1/submissions/${draft}`)).json['status'], 'EXPIRED')
  assert.equal((await acme.get(`/v1/submissions/${held}`)).json['status'], 'PENDING')
  assert.deepEqual((await actions(draft)).slice(-1), ['submission.expired'])
})

test('a kit past its retention is EXPIRED and loses its content, keeps manifest and receipt, and is in the audit log', async () => {
  const { id, kitId } = await issued('policy.txt')
  const { job_id: jobId } = (await acme.get(`/v1/submissions/${id}`)).json
  const path = `/v1/kits/${kitId}`
  const [manifest, receipt] = [await acme.get(`${path}/manifest`), await acme.get(`${path}/receipt`)]
  await pass({ days: 29 })
  assert.equal((await acme.get(`/v1/submissions/${id}`)).json['status'], 'PASS')
  await pass({ days: 2 })
  await pass({ hours: 1 })
  assert.equal((await service.call(`/v1/intake/jobs/${String(jobId)}`)).json['status'], 'EXPIRED')
  // A second node, because the first one caches the kit for some seconds.
  await using other = await testService(sameStore(service), clock)
  const withKey = { headers: { 'x-api-key': acme.key } }
  const gone = await other.call(`${path}/download`, withKey)
  assert.deepEqual([gone.status, gone.json['code']], [410, 'kit_expired'])
  assert.deepEqual((await other.call(`${path}/manifest`, withKey)).bytes, manifest.bytes)
  assert.deepEqual((await other.call(`${path}/receipt`)).bytes, receipt.bytes)
  const { json } = await other.post('/v1/verify/receipt', receipt.bytes.toString(), withKey.headers)
  assert.deepEqual(
    [json['status'], json['manifest_hash_valid'], json['artifact_hashes_valid']],
    ['FAIL', true, false],
  )
  assert.equal(json['ed25519_signature_valid'], true, 'the signature is still checked')
  const errors = json['errors'] as readonly string[]
  assert.ok(errors.includes('artifact_missing: data/policy.txt is missing'))
  assert.ok(errors.every((error) => error.startsWith('artifact_missing: ')))

  const submission = await acme.get(`/v1/submissions/${id}`)
  assert.deepEqual([submission.json['status'], submission.json['credits_charged']], ['EXPIRED', 1])
  assert.equal(submission.headers.get('retry-after'), null)
  assert.deepEqual(Object.keys(submission.json['deliverables'] as object).toSorted(), [
    'manifest.json',
    'receipt.json',
  ])
  assert.equal((await acme.get(`/v1/submissions/${id}/deliverables`)).json['status'], 'EXPIRED')
  const found = async (status: string) =>
    JSON.stringify((await acme.get(`/v1/submissions?status=${status}`)).json['data']).includes(id)
  assert.deepEqual([await found('EXPIRED'), await found('PASS'), await found('FAIL')], [true, false, false])
  const events = (await acme.get(`/v1/audit?subject=${kitId}`)).json['data'] as readonly Record<
    string,
    unknown
  >[]
  assert.deepEqual(
    events.filter(({ action }) => action === 'kit.expired').map(({ actor }) => actor),
    ['service'],
  )
})

test('kits of a plan without retention do not expire', async () => {
  const time = testClock()
  await using own = await testService({}, time)
  const other = await workspaceClient(own)
  const id = await other.submission()
  await other.upload(id, form({ 'policy.txt': 'policy text' }))
  await other.ended(id)
  time.advance({ days: 400 })
  await own.service.runDue()
  assert.equal((await other.get(`/v1/submissions/${id}`)).json['status'], 'PASS')
})
