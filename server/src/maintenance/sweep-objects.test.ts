// Again on PostgreSQL, with S3: its transactions overlap, and a bucket lists and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storedFiles } from '../../../test/kit/stored-files.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { form, type WorkspaceClient, workspaceClient } from '../../../test/kit/workspace.ts'
import { insertObjects } from '../objects/accepted-objects.ts'
import { openStore, type Store } from '../open-store.ts'
import { eraseObjects, sweepUnaccepted } from './sweep-objects.ts'

const HOUR_MS = 3_600_000
let service: TestService
let store: Store
let acme: WorkspaceClient

before(async () => {
  service = await testService()
  store = await openStore(service.config)
  acme = await workspaceClient(service)
})
after(async () => {
  await store[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const sweepIn = (hours: number): Promise<number> =>
  sweepUnaccepted({
    ...store,
    clock: { now: () => Date.now() + hours * HOUR_MS },
    config: service.config,
  })
const isStored = async (object: string): Promise<boolean> =>
  (await store.objects.inspect(object)) !== undefined

async function names(): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { object } of store.objects.list()) found.push(object)
  return found
}

async function issued(): Promise<string> {
  const id = await acme.submission()
  await acme.upload(id, form({ 'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three' }))
  assert.equal((await acme.ended(id))['status'], 'PASS')
  return id
}

test('an upload of several files is one object, its kit another, and the page of all kits is stored once', async () => {
  const there = await names()
  await issued()
  assert.equal((await names()).length - there.length, 2)
})

test('a deleted submission takes its objects with it, and nothing of another with the same files', async () => {
  const [deleted, kept] = [await issued(), await issued()]
  const there = await names()
  const path = `/v1/submissions/${deleted}`
  const call = { method: 'DELETE', headers: { 'x-api-key': acme.key } }
  assert.equal((await service.call(path, call)).status, 204)
  assert.equal(await eraseObjects(store), 2)
  assert.equal((await names()).length, there.length - 2)
  const kit = String((await acme.ended(kept))['kit_id'])
  assert.equal((await acme.get(`/v1/kits/${kit}/download`)).status, 200)
  assert.equal(await eraseObjects(store), 0)
})

test('what was stored and never accepted is deleted after a day and not earlier, and what was accepted stays', async () => {
  await issued()
  const there = await names()
  const { object } = await store.objects.put(Buffer.from('left by a crash'))
  assert.equal(await sweepIn(0), 0)
  assert.ok(await isStored(object))
  assert.equal(await sweepIn(25), 1)
  assert.deepEqual(await names(), there)
})

test('an object that was given up is accepted no more, even if the clock was wrong', async () => {
  const stored = await store.objects.put(Buffer.from('about to be accepted'))
  assert.equal(await sweepIn(25), 1)
  await assert.rejects(insertObjects(store.db, null, [stored]).execute())
  await sweepIn(50)
  const row = await store.db
    .selectFrom('objects')
    .select('object')
    .where('object', '=', stored.object)
    .executeTakeFirst()
  assert.equal(row, undefined, 'it is forgotten a day later')
})

test('an upload in pieces that has arrived and waits for the database is not swept', async () => {
  const id = await acme.submission()
  const response = await service.call(`/v1/submissions/${id}/uploads`, {
    method: 'POST',
    headers: {
      'x-api-key': acme.key,
      'tus-resumable': '1.0.0',
      'upload-length': '5',
      'upload-metadata': `filename ${Buffer.from('a.txt').toString('base64')}`,
    },
  })
  assert.equal(response.status, 201)
  const { object } = await store.db
    .selectFrom('resumable_uploads')
    .select('object')
    .where('submission_id', '=', id as never)
    .executeTakeFirstOrThrow()
  await store.objects.put(Buffer.from('bytes'), object)
  assert.equal(await sweepIn(25), 0)
  assert.ok(await isStored(object))
})

test('a refused upload leaves nothing', async () => {
  const there = await names()
  const id = await acme.submission()
  const refused = await acme.upload(id, form({ 'a.txt': 'bytes' }, { provenance: '{"source":"x"}' }))
  assert.equal(refused.status, 400)
  assert.deepEqual(await names(), there)
  if (service.config.objects.is === 'folder')
    assert.equal(storedFiles(service).filter((path) => path.includes('/objects/tmp/')).length, 0)
})
