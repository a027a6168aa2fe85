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
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { condemnErased } from '../src/maintenance/condemn-erased.ts'
import { expireKits } from '../src/maintenance/expire-kits.ts'
import { openStore, type Store } from '../src/open-store.ts'
import { sweep } from '../src/work/sweeper.ts'
import { member } from '../../test/kit/console.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { administer, form, workspaceClient, type WorkspaceClient } from '../../test/kit/workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1000
let service: TestService
let store: Store
let acme: WorkspaceClient
before(async () => {
  service = await testService()
  store = await openStore(service.config)
  await administer(service, (admin) => admin.plans.create('short', { retentionDays: 30 }))
  acme = await workspaceClient(service, { plan: 'short' })
})
after(async () => {
  await store[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

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

const expire = (laterMs: number): Promise<number> =>
  expireKits({ ...store, clock: { now: () => Date.now() + laterMs }, log: { error: assert.fail } })

const sweepLater = (days: number) => sweep(store.db, { now: () => Date.now() + days * DAY_MS })

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
  await store.transparencyLog.sequence()
  const { size } = parseCheckpoint((await service.call('/log/checkpoint')).bytes)
  const entries = parseEntryBundle((await service.call(`/log/tile/entries/000.p/${size}`)).bytes)
  const leaf = fromUtf8(leafBytes(erasureLeaf(erasure as unknown as Erasure, nodeHost.digest)))
  assert.ok(
    entries.some((entry) => fromUtf8(entry) === leaf),
    'in the log',
  )
  return erasure as unknown as Erasure
}

test('a legal hold beats retention and deletion until it is released', async () => {
  const { id, kitId } = await issued('held.txt')
  const held = await call('PUT', `/v1/submissions/${id}/hold`, { reason: 'Case 7' })
  assert.equal((held.json['hold'] as { reason: string }).reason, 'Case 7')
  assert.equal(await expire(31 * DAY_MS), 0)
  const refused = await call('DELETE', `/v1/submissions/${id}`)
  assert.deepEqual([refused.status, refused.json['code']], [409, 'submission_held'])
  assert.equal((await acme.get(`/v1/kits/${kitId}/download`)).status, 200)
  assert.equal((await service.call(`/v1/kits/${kitId}/erasure`)).status, 404)
  await assert.rejects(
    store.db
      .updateTable('jobs')
      .set({ status: 'EXPIRED' })
      .where('kit_id', '=', kitId as never)
      .execute(),
    /legal hold/,
  )
  assert.equal((await call('DELETE', `/v1/submissions/${id}/hold`)).status, 204)
  assert.equal((await acme.get(`/v1/submissions/${id}`)).json['hold'], null)
  assert.equal((await call('DELETE', `/v1/submissions/${id}/hold`)).status, 204, 'without a hold')
  assert.equal(await expire(31 * DAY_MS), 1)
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
  await condemnErased({ ...store, clock: { now: Date.now } }, '2020', new Set())
  const object = (deleted.json['evidence'] as { sha256: string }[])[0]?.sha256 ?? ''
  const condemned = await store.db.selectFrom('condemned_objects').select('sha256').execute()
  assert.ok(
    condemned.some(({ sha256 }) => sha256 === object),
    'the object is about to be deleted',
  )
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
  await sweepLater(29)
  assert.equal((await acme.get(`/v1/submissions/${draft}`)).json['status'], 'PENDING')
  await sweepLater(31)
  assert.equal((await acme.get(`/v1/submissions/${draft}`)).json['status'], 'EXPIRED')
  assert.equal((await acme.get(`/v1/submissions/${held}`)).json['status'], 'PENDING')
  assert.deepEqual((await actions(draft)).slice(-1), ['submission.expired'])
})

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
