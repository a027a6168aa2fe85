// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { startPage } from '@kitseal/kit/internal/node'
import { form, workspaceClient } from '../../../test/kit/workspace.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'
import { openStore, type Store } from '../open-store.ts'
import type { KitId } from '../runtime/identifiers.ts'
import { type ListedObject, ObjectsUnavailable, type ObjectStore } from '../objects/object-store.ts'
import { referenceObjects } from '../objects/reference-objects.ts'
import { CONDEMNED_MS, REMOVING_MS } from './condemned-objects.ts'
import { condemnErased } from './condemn-erased.ts'
import { referencedAmong } from './referenced-objects.ts'
import { sweepInBackground } from './sweep-in-background.ts'
import { sweepOrphans } from './sweep-orphans.ts'
import { taskReports } from './task-progress.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const MARGIN_MS = 1000
/** Files have exact modification times; S3 does not. */
const IN_FOLDER = { KITSEAL_OBJECTS: undefined }

test('only unreferenced objects past the grace period are deleted', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'policy text' }))
  assert.equal((await acme.ended(id))['status'], 'PASS')
  const referenced = await names(store.objects)
  const { sha256 } = await store.objects.put(Buffer.from('unreferenced'))
  const sweeps = sweeper(service, store)
  assert.deepEqual(await sweeps(0), { condemned: 0, removed: 0, abandoned: 0 })
  assert.equal((await sweeps(2 * DAY_MS)).condemned, 1)
  assert.equal((await sweeps(2 * DAY_MS)).removed, 0, 'not immediately')
  assert.equal((await sweeps(2 * DAY_MS + CONDEMNED_MS)).removed, 1)
  assert.equal(await store.objects.has(sha256), false)
  await sweeps(2 * DAY_MS + CONDEMNED_MS + REMOVING_MS)
  assert.deepEqual(await names(store.objects), referenced)
  assert.deepEqual(await store.db.selectFrom('condemned_objects').selectAll().execute(), [])
})

test('an upload of the same content keeps a condemned object, and gets 503 while the object is being deleted', async () => {
  await using service = await testService(IN_FOLDER)
  await using store = await openStore(service.config)
  const acme = await workspaceClient(service)
  const [saved, lost] = ['condemned, then uploaded again', 'being deleted']
  const orphans = [await store.objects.put(Buffer.from(saved)), await store.objects.put(Buffer.from(lost))]
  const sweeps = sweeper(service, await twoDaysLater(store))
  assert.equal((await sweeps(2 * DAY_MS)).condemned, 2)

  const first = await acme.submission()
  assert.equal((await acme.upload(first, form({ 'a.txt': saved }))).status, 202)
  assert.equal((await acme.ended(first))['status'], 'PASS')
  await sweeps(2 * DAY_MS + CONDEMNED_MS + MARGIN_MS)
  assert.equal(await store.objects.has(orphans[0]?.sha256 ?? ''), true, 'referenced again')
  assert.equal(await store.objects.has(orphans[1]?.sha256 ?? ''), false)

  const second = await acme.submission()
  const rejected = await acme.upload(second, form({ 'a.txt': lost }))
  assert.deepEqual([rejected.status, rejected.json['code']], [503, 'store_unavailable'])
  assert.ok(Number(rejected.headers.get('retry-after')) > 0)
  await sweeps(2 * DAY_MS + CONDEMNED_MS + REMOVING_MS + 2 * MARGIN_MS)
  assert.equal((await acme.upload(second, form({ 'a.txt': lost }))).status, 202)
  assert.equal((await acme.ended(second))['status'], 'PASS')
})

const MOMENTS = ['list', 'inspect', 'before delete', 'after delete'] as const

for (const moment of MOMENTS) {
  test(`an upload of the same content during a sweep (${moment}) does not lose its object`, async () => {
    await using service = await testService(IN_FOLDER)
    await using store = await openStore(service.config)
    const acme = await workspaceClient(service)
    const { sha256 } = await store.objects.put(Buffer.from('the same bytes'))
    const id = await acme.submission()
    const statuses: number[] = []
    const upload = async (now: string): Promise<void> => {
      if (now !== moment || statuses.length > 0) return
      statuses.push((await acme.upload(id, form({ 'a.txt': 'the same bytes' }))).status)
    }
    const sweeps = sweeper(service, await twoDaysLater(store, upload))
    for (const later of [0, CONDEMNED_MS, CONDEMNED_MS + REMOVING_MS + MARGIN_MS])
      await sweeps(2 * DAY_MS + later)
    assert.equal(statuses.length, 1)
    if (statuses[0] === 503)
      statuses.push((await acme.upload(id, form({ 'a.txt': 'the same bytes' }))).status)
    assert.equal(statuses.at(-1), 202)
    await sweeps(2 * DAY_MS + 3 * CONDEMNED_MS + REMOVING_MS)
    assert.equal((await acme.ended(id))['status'], 'PASS')
    assert.equal(await store.objects.has(sha256), true)
  })
}

test('a reference to an object that was just deleted is rejected', async () => {
  await using service = await testService(IN_FOLDER)
  await using store = await openStore(service.config)
  const { kitId } = await service.issue()
  const { sha256 } = await store.objects.put(Buffer.from('stored before, referenced after'))
  const sweeps = sweeper(service, await twoDaysLater(store))
  await sweeps(2 * DAY_MS)
  assert.equal((await sweeps(2 * DAY_MS + CONDEMNED_MS)).removed, 1)
  const name = () =>
    store.db
      .insertInto('kit_objects')
      .values({ sha256, kit_id: kitId as KitId })
      .execute()
  await assert.rejects(referenceObjects(store.db, [sha256], name), ObjectsUnavailable)
})

test('a pass over the store is made in slices, and any node resumes it where it was interrupted', async () => {
  await using service = await testService(IN_FOLDER)
  await using store = await openStore(service.config)
  const orphans: string[] = []
  for (let count = 0; count < 12; count += 1)
    orphans.push((await store.objects.put(Buffer.from(`orphan ${count}`))).sha256)
  const listed: string[] = []
  const counting: ObjectStore = {
    ...store.objects,
    async *list(after) {
      for await (const found of store.objects.list(after)) {
        listed.push(found.sha256)
        yield found
      }
    },
  }
  const clock = { now: () => Date.now() + 2 * DAY_MS }
  const config = { scrubBytesPerSecond: 0, orphanGraceHours: 24, openIntakeTtlDays: 7 }
  const log = { info: () => {}, error: assert.fail }
  const node = { db: store.db, objects: counting, clock, config, log, issuer: service.base, sliceSize: 5 }

  await sweepInBackground(node, () => listed.length >= 7)
  const interrupted = (await taskReports(store.db)).get('orphans')
  assert.deepEqual([interrupted?.cursor, interrupted?.finishedAt], [listed.at(-1), null])
  assert.equal(listed.length, 7)

  await sweepInBackground(node, () => false)
  const finished = (await taskReports(store.db)).get('orphans')
  assert.equal(finished?.cursor, '')
  assert.ok(finished.finishedAt !== null)
  assert.deepEqual(listed, await names(store.objects), 'each object once, none left out')
  const condemned = await store.db.selectFrom('condemned_objects').select('sha256').execute()
  assert.deepEqual(condemned.map(({ sha256 }) => sha256).toSorted(), orphans.toSorted())

  // A node that stops ends after the slice.
  const slices: string[] = []
  const onSlice = async (cursor: string): Promise<boolean> => slices.push(cursor) < 2
  await sweepOrphans({ ...store, graceMs: 0, spare: new Set(), clock, sliceSize: 2, onSlice })
  assert.equal(slices.length, 2)
  assert.notEqual(slices[1], '')
})

test('the evidence of an erased kit is condemned without a listing, and by the next run only what was erased since', async () => {
  await using service = await testService(IN_FOLDER)
  await using store = await openStore(service.config)
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'erased text' }))
  assert.equal((await acme.ended(id))['status'], 'PASS')
  const erased = await service.call(`/v1/submissions/${id}`, {
    method: 'DELETE',
    headers: { 'x-api-key': acme.key },
  })
  assert.ok(erased.status < 300, String(erased.status))
  const clock = { now: () => Date.now() }
  await condemnErased({ db: store.db, clock }, new Date(Date.now() - HOUR_MS).toISOString(), new Set())
  const sha256 = createHash('sha256').update('erased text').digest('hex')
  const condemned = () => store.db.selectFrom('condemned_objects').select('sha256').execute()
  assert.ok((await condemned()).some((row) => row.sha256 === sha256))
  await store.db.deleteFrom('condemned_objects').execute()
  await condemnErased({ db: store.db, clock }, new Date(Date.now() + HOUR_MS).toISOString(), new Set())
  assert.deepEqual(await condemned(), [])
})

test('evidence that two submissions have in common is referred to by each of them, and kept until both are erased', async () => {
  await using service = await testService(IN_FOLDER)
  await using store = await openStore(service.config)
  const acme = await workspaceClient(service)
  const ids = [await acme.submission(), await acme.submission()]
  for (const id of ids) await acme.upload(id, form({ 'policy.txt': 'common text' }))
  for (const id of ids) assert.equal((await acme.ended(id))['status'], 'PASS')
  const sha256 = createHash('sha256').update('common text').digest('hex')
  const ofKits = await store.db.selectFrom('kit_objects').select('sha256').execute()
  assert.ok(ofKits.length > 0 && ofKits.every((row) => row.sha256 !== sha256), 'only evidence refers to it')
  for (const [at, id] of ids.entries()) {
    assert.ok((await referencedAmong(store.db, [sha256])).has(sha256), `before erasure ${at + 1}`)
    const headers = { 'x-api-key': acme.key }
    const erased = await service.call(`/v1/submissions/${id}`, { method: 'DELETE', headers })
    assert.ok(erased.status < 300, String(erased.status))
  }
  assert.equal((await referencedAmong(store.db, [sha256])).size, 0)
})

/** Keeps the start page, as the service does. */
function sweeper(service: TestService, { db, objects }: Pick<Store, 'db' | 'objects'>) {
  return async (laterMs: number) => {
    const spare = new Set([createHash('sha256').update(startPage(service.base)).digest('hex')])
    const clock = { now: () => Date.now() + laterMs }
    return sweepOrphans({ db, objects, clock, graceMs: service.config.orphanGraceHours * HOUR_MS, spare })
  }
}

/** The store two days later: existing objects are old, new ones are not. `at` is called during a sweep. */
async function twoDaysLater(
  { db, objects }: Store,
  at: (moment: (typeof MOMENTS)[number]) => Promise<void> = async () => {},
): Promise<Pick<Store, 'db' | 'objects'>> {
  const old = new Map<string, string | undefined>()
  for (const sha256 of await names(objects)) old.set(sha256, await objects.fingerprint(sha256))
  const aged = async (found: ListedObject): Promise<ListedObject> => {
    const isOld = old.get(found.sha256) === (await objects.fingerprint(found.sha256))
    return isOld ? found : { ...found, keptAtMs: found.keptAtMs + 2 * DAY_MS }
  }
  return {
    db,
    objects: {
      ...objects,
      async *list(after) {
        for await (const found of objects.list(after)) {
          yield await aged(found)
          await at('list')
        }
      },
      inspect: async (sha256) => {
        const found = await objects.inspect(sha256)
        const info = found && (await aged(found))
        await at('inspect')
        return info
      },
      delete: async (sha256) => {
        await at('before delete')
        await objects.delete(sha256)
        await at('after delete')
      },
    },
  }
}

async function names(objects: ObjectStore): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { sha256 } of objects.list()) found.push(sha256)
  return found
}
