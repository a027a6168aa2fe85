import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openKit } from '@kitseal/kit/node'
import { zipOf } from '../../../examiner/test/evidence-samples.ts'
import { type KitId, randomIdentifiers, type SubmissionId, type WorkspaceId } from '../runtime/identifiers.ts'
import { expireKits } from '../maintenance/expire-kits.ts'
import { openStore, type Store } from '../open-store.ts'
import { createSubmission } from './create-submission.ts'
import { requestReissue } from './request-reissue.ts'
import { member } from '../../../test/kit/console.ts'
import { catalogOf } from '../../test/test-kits.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import {
  administer,
  form,
  type NewWorkspace,
  type WorkspaceClient,
  workspaceClient,
} from '../../../test/kit/workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('a kit of a revoked key is re-issued with the same evidence, and names the kit it replaces', async () => {
  await using scene = await sealedScene()
  const { acme, id } = scene
  const old = await acme.get(`/v1/submissions/${id}`)
  const oldKit = await scene.kitOf(id)
  await scene.revoke()
  await administer(scene.service, ({ workspaces }) =>
    workspaces.update(acme.workspaceId as WorkspaceId, { name: 'Acme Ltd' }, { is: 'operator' }),
  )
  const created = await scene.reissue(id)
  assert.equal(created.status, 201, created.bytes.toString())
  const newId = String(created.json['submission_id'])
  assert.equal(created.headers.get('location'), `/v1/submissions/${newId}`)
  const ended = await acme.ended(newId)
  assert.equal(ended['status'], 'PASS', JSON.stringify(ended['blockers']))
  assert.notEqual(ended['kit_id'], old.json['kit_id'])
  assert.deepEqual(ended['evidence'], old.json['evidence'])
  assert.deepEqual([ended['label'], ended['profile']], [old.json['label'], old.json['profile']])
  assert.deepEqual(ended['replaces'], { submission_id: id, kit_id: old.json['kit_id'] })
  assert.deepEqual([ended['key_revoked_at'], ended['replaced_by']], [null, null])

  const newKit = await scene.kitOf(newId)
  const evidence = dataOf(oldKit.files)
  assert.deepEqual([...evidence.keys()].toSorted(), ['data/e/a.txt', 'data/e/b/c.txt', 'data/note.txt'])
  assert.deepEqual(dataOf(newKit.files), evidence)
  const report = newKit.json('reports/reissue.json')
  assert.deepEqual(
    [report['report'], report['replaces_kit_id'], report['reason']],
    ['reissue', old.json['kit_id'], 'key_revoked'],
  )
  assert.equal(
    report['replaces_receipt_sha256'],
    createHash('sha256')
      .update(oldKit.files.get('receipt.json') ?? '')
      .digest('hex'),
  )
  assert.equal(report['replaces_kid'], oldKit.json('receipt.json')['public_key_kid'])
  assert.deepEqual(
    newKit.files.get('reports/classification_report.json'),
    oldKit.files.get('reports/classification_report.json'),
  )
  const [before, after] = [oldKit, newKit].map((kit) => kit.json('reports/intake_report.json'))
  const supplier = { workspace_id: acme.workspaceId, name: 'Acme Ltd', confirmed_by: 'operator' }
  assert.deepEqual(after, { ...before, supplier })

  assert.equal(newKit.verdict, 'verified')
  const replaced = (await acme.get(`/v1/submissions/${id}`)).json
  assert.deepEqual(replaced['replaced_by'], { submission_id: newId, kit_id: ended['kit_id'] })
  assert.match(String(replaced['key_revoked_at']), /^\d{4}-/)
  assert.equal((await scene.kitOf(id)).verdict, 'key_revoked')
  const names = (await acme.get(`/v1/submissions/${newId}/deliverables`)).json['data']
  assert.ok((names as { name: string }[]).some(({ name }) => name === 'reports/reissue.json'))
  const byName = (await acme.get('/v1/submissions?path=note')).json['data']
  assert.ok(
    (byName as { submission_id: string }[]).some(({ submission_id }) => submission_id === newId),
    'it is found by the names of its files too',
  )
})

test('a re-issue charges no credit, also without any left', async () => {
  await using scene = await sealedScene({ credits: 1 })
  const { acme, id } = scene
  await scene.revoke()
  const made = await scene.reissued(id)
  assert.equal(made['credits_charged'], 0)
  assert.deepEqual(await acme.credits(), { available: 0, held: 0 })
  const { data: ledger } = (await acme.get('/v1/credits')).json as { data: { kind: string }[] }
  assert.deepEqual(
    ledger.map(({ kind }) => kind),
    ['capture', 'hold', 'grant'],
  )
})

test('revocation and re-issue are in the audit log of the workspaces concerned', async () => {
  await using scene = await sealedScene()
  const { acme, id } = scene
  const other = await workspaceClient(scene.service)
  const { kit_id } = (await acme.get(`/v1/submissions/${id}`)).json
  const kid = await scene.revoke()
  const made = await scene.reissued(id)
  const events = await eventsOf(acme)
  const of = (action: string) => events.filter((event) => event['action'] === action)
  assert.deepEqual(
    of('signing_key.revoked').map(({ actor, subject, details }) => [actor, subject, details]),
    [['operator', kid, { kits: 1 }]],
  )
  assert.deepEqual(
    of('submission.reissued').map(({ actor, subject, details }) => [actor, subject, details]),
    [['key', id, { as: made['submission_id'], kit_id }]],
  )
  const own = events.filter(({ subject }) => subject === made['submission_id'])
  assert.deepEqual(
    own.map(({ action }) => action),
    ['submission.passed', 'submission.sealed', 'submission.created'],
  )
  const details = own.at(-1)?.['details'] as { replaces?: string } | undefined
  assert.equal(details?.replaces, kit_id)
  assert.ok(!(await eventsOf(other)).some(({ action }) => action === 'signing_key.revoked'))
})

test('only a kit of a revoked key is re-issued, and only once', async () => {
  await using scene = await sealedScene()
  const { acme, id } = scene
  const draft = await acme.submission()
  const refusal = async (of: string) => {
    const { status, json } = await scene.reissue(of)
    return [status, json['code']]
  }
  assert.deepEqual(await refusal(id), [409, 'key_not_revoked'])
  assert.deepEqual(await refusal(draft), [409, 'key_not_revoked'])
  await scene.revoke()
  assert.deepEqual(await refusal(draft), [409, 'key_not_revoked'])
  const [one, two] = await Promise.all([scene.reissue(id), scene.reissue(id)])
  assert.deepEqual([one.status, two.status].toSorted(), [201, 409])
  assert.deepEqual(await refusal(id), [409, 'kit_already_reissued'])
  const made = one.status === 201 ? one : two
  await acme.ended(String(made.json['submission_id']))
  assert.deepEqual(await refusal(id), [409, 'kit_already_reissued'])
  assert.deepEqual(await refusal(String(made.json['submission_id'])), [409, 'key_not_revoked'])
})

test('a re-issued kit is re-issued again when its key is revoked too', async () => {
  await using scene = await sealedScene()
  const { acme, id } = scene
  await scene.revoke()
  const first = await scene.reissued(id)
  await scene.revoke()
  const second = await scene.reissued(String(first['submission_id']))
  assert.deepEqual(second['replaces'], { submission_id: first['submission_id'], kit_id: first['kit_id'] })
  const [original, last] = [await scene.kitOf(id), await scene.kitOf(String(second['submission_id']))]
  assert.deepEqual(dataOf(last.files), dataOf(original.files))
  assert.equal(last.verdict, 'verified')
  assert.equal(last.json('reports/reissue.json')['replaces_kit_id'], first['kit_id'])
  assert.equal((await acme.get(`/v1/submissions/${id}`)).json['status'], 'PASS')
})

test('a retry with the same Idempotency-Key returns the first response', async () => {
  await using scene = await sealedScene()
  const { acme, id } = scene
  await scene.revoke()
  const headers = { 'idempotency-key': 'again' }
  const first = await acme.post(`/v1/submissions/${id}/reissue`, {}, headers)
  const second = await acme.post(`/v1/submissions/${id}/reissue`, {}, headers)
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.deepEqual(second.bytes, first.bytes)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  const { data: submissions } = (await acme.get('/v1/submissions')).json as { data: object[] }
  assert.equal(submissions.length, 2)
})

test('other workspaces, callers without a key, members and requests with parameters are refused', async () => {
  await using scene = await sealedScene()
  const { acme, id, service } = scene
  await scene.revoke()
  const other = await workspaceClient(service)
  assert.equal((await other.post(`/v1/submissions/${id}/reissue`, {})).status, 404)
  assert.equal((await service.post(`/v1/submissions/${id}/reissue`, {})).status, 401)
  const odd = await acme.post(`/v1/submissions/${id}/reissue`, { reason: 'because' })
  assert.deepEqual([odd.status, odd.json['code']], [400, 'body_invalid'])
  const someone = await member(service, 'member', acme.workspaceId)
  assert.equal((await someone.post(`/v1/submissions/${id}/reissue`)).status, 403)
  const owner = await member(service, 'owner', acme.workspaceId)
  assert.equal((await owner.post(`/v1/submissions/${id}/reissue`)).status, 201)
})

test('evidence that was deleted is not re-issued, and evidence that is being re-issued is not deleted', async () => {
  await using scene = await sealedScene({ plan: 'short' })
  const { service } = scene
  await using store = await openStore(service.config)
  const expire = () =>
    expireKits({
      ...store,
      kits: catalogOf(store),
      clock: { now: () => Date.now() + 31 * DAY_MS },
      log: { error: assert.fail },
    })
  await scene.revoke()
  const { submission_id, job_id } = await requestLeased(store, scene)
  assert.equal(await expire(), 0, 'its evidence is still needed')
  await store.db
    .updateTable('tasks')
    .set({ owner: null, held_until: null })
    .where('key', '=', job_id)
    .execute()
  assert.equal((await scene.acme.ended(submission_id))['status'], 'PASS')
  assert.equal(await expire(), 2)
  await scene.revoke()
  const gone = await scene.reissue(submission_id)
  assert.deepEqual([gone.status, gone.json['code']], [409, 'evidence_gone'])
})

test('the console lists the kits of a revoked key until they are re-issued', async () => {
  await using scene = await sealedScene()
  const { acme, id, service } = scene
  const owner = await member(service, 'owner', acme.workspaceId)
  const keys = async () => (await owner.get('/v1/revocations')).json['data']
  assert.deepEqual(await keys(), [])
  const kid = await scene.revoke()
  const { key_revoked_at } = (await acme.get(`/v1/submissions/${id}`)).json
  assert.deepEqual(await keys(), [
    { kid, revoked_at: key_revoked_at, compromised_since: null, kits: 1, submissions: [id] },
  ])
  const row = async () => ((await owner.get('/v1/submissions')).json['data'] as Row[]).find(isOf(id))
  assert.deepEqual(await row().then(shown), [key_revoked_at, null])
  const { submission_id } = await scene.reissued(id)
  assert.deepEqual(await keys(), [])
  assert.deepEqual(await row().then(shown), [key_revoked_at, submission_id])
  const outsider = await member(service, 'owner', (await workspaceClient(service)).workspaceId)
  assert.deepEqual((await outsider.get('/v1/revocations')).json['data'], [])
})

test('the database rejects a replacement of a kit whose key is not revoked, of another workspace, and a second one', async () => {
  await using scene = await sealedScene()
  await using store = await openStore(scene.service.config)
  const { kit_id } = (await scene.acme.get(`/v1/submissions/${scene.id}`)).json
  const replaced = { kit_id: kit_id as KitId, submission_id: scene.id as SubmissionId }
  const other = { ...scene, acme: await workspaceClient(scene.service) }
  const replace = async (by: Pick<Scene, 'service' | 'acme'>) => {
    const { ctx, caller } = await actingFor(by)
    return store.db
      .transaction()
      .execute((trx) => createSubmission(trx, ctx, { label: 'another' }, caller, replaced))
  }
  const notRevoked = /only a kit of the same workspace whose key is revoked is replaced/
  await assert.rejects(replace(scene), notRevoked)
  await scene.revoke()
  await assert.rejects(replace(other), notRevoked)
  const { view } = await replace(scene)
  await assert.rejects(replace(scene), /a kit is replaced once/)
  const { submission_id } = view
  const change = store.db
    .updateTable('submissions')
    .set({ replaces_kit_id: null })
    .where('submission_id', '=', submission_id)
  await assert.rejects(change.execute(), /what a submission was created with stays/)
})

/** What a request with the API key of the workspace runs with. */
async function actingFor({ service, acme }: Pick<Scene, 'service' | 'acme'>) {
  const workspaceId = acme.workspaceId as WorkspaceId
  const plan = await administer(service, (admin) => admin.plans.find('default'))
  const [key] = await administer(service, (admin) => admin.keys.list(workspaceId))
  assert.ok(plan && key)
  const actor = { is: 'key', keyId: key.key_id } as const
  return {
    caller: { is: 'workspace', workspaceId, actor, plan } as const,
    ctx: { clock: { now: () => Date.now() }, identifiers: randomIdentifiers(), config: service.config },
  }
}

/** Requests a re-issue that no node seals, because another one holds its task. */
async function requestLeased({ db, units }: Store, scene: Scene) {
  const { ctx, caller } = await actingFor(scene)
  return db.transaction().execute(async (trx) => {
    const { view } = await requestReissue(units.within(trx, caller), ctx, scene.id as SubmissionId, caller)
    await trx
      .updateTable('tasks')
      .set({ owner: 'elsewhere', held_until: '2999-01-01T00:00:00.000Z' })
      .where('key', '=', view.job_id)
      .execute()
    return view
  })
}

type Scene = Awaited<ReturnType<typeof sealedScene>>
type Row = Readonly<Record<string, unknown>>
const isOf = (id: string) => (row: Row) => row['submission_id'] === id
const shown = (row: Row | undefined) => [row?.['key_revoked_at'], replacedBy(row)]
const replacedBy = (row: Row | undefined) =>
  (row?.['replaced_by'] as { submission_id: string } | null)?.submission_id ?? null

async function eventsOf(client: WorkspaceClient): Promise<readonly Row[]> {
  return (await client.get('/v1/audit')).json['data'] as readonly Row[]
}

interface ReadKit {
  readonly files: ReadonlyMap<string, Buffer>
  readonly verdict: unknown
  json(path: string): Readonly<Record<string, unknown>>
}

const dataOf = (files: ReadKit['files']) => new Map([...files].filter(([path]) => path.startsWith('data/')))

/** A workspace with one issued kit, from an archive and a loose file. */
async function sealedScene({ credits = 10, plan = 'default' }: NewWorkspace = {}) {
  const service = await testService()
  await administer(service, (admin) => admin.plans.create('short', { retentionDays: 30 }))
  const acme = await workspaceClient(service, { credits, plan })
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-reissue-'))
  const id = await acme.submission()
  const archive = zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' })
  await acme.upload(id, form({ 'e.zip': archive, 'note.txt': 'three' }))
  assert.equal((await acme.ended(id))['status'], 'PASS')
  const reissue = (of: string) => acme.post(`/v1/submissions/${of}/reissue`, {})
  return {
    service,
    acme,
    id,
    reissue,
    reissued: async (of: string) => {
      const created = await reissue(of)
      assert.equal(created.status, 201, created.bytes.toString())
      return acme.ended(String(created.json['submission_id']))
    },
    /** Revokes the active key and returns its ID. */
    revoke: async () => revokeActiveKey(service),
    kitOf: (of: string) => readKit(acme, of, folder),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

async function revokeActiveKey(service: TestService): Promise<string> {
  await using store = await openStore(service.config)
  const active = (await store.signingKeys.list()).find(({ state }) => state === 'active')
  assert.ok(active)
  assert.equal((await store.signingKeys.revoke(active.kid)).is, 'done')
  return active.kid
}

async function readKit(client: WorkspaceClient, id: string, folder: string): Promise<ReadKit> {
  const zip = (await client.get(`/v1/submissions/${id}/deliverables/kit.zip`)).bytes
  const path = join(folder, `${id}.zip`)
  writeFileSync(path, zip)
  using kit = await openKit(path)
  const files = new Map<string, Buffer>()
  for (const { path: name, sizeBytes } of kit.files)
    files.set(name, Buffer.from(await kit.read(name, sizeBytes + 1)))
  const checked = await client.post('/v1/verify/kit', zip, { 'content-type': 'application/zip' })
  return {
    files,
    verdict: checked.json['verdict'],
    json: (name) => JSON.parse(String(files.get(name))) as Record<string, unknown>,
  }
}
