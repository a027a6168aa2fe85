// With S3: a bucket lists, replaces and deletes in other ways than a folder.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { form, workspaceClient } from '../../../test/kit/workspace.ts'
import { testService } from '../../../test/kit/service.ts'
import type { KitEntry } from '../database/schema.ts'
import { openStore, type Store } from '../open-store.ts'
import { readServiceStatus } from '../service-status.ts'
import { ObjectsUnavailable } from '../objects/object-store.ts'
import { noteScrub, scrubObjects, type Scrubbed, scrub, scrubReport } from './scrub-objects.ts'
import { taskReports } from './task-progress.ts'

test('a scrub reads every accepted object and reports missing and damaged ones with kit and path', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  const acme = await workspaceClient(service)
  const id = await acme.submission()
  await acme.upload(id, form({ 'policy.txt': 'policy text' }))
  const kitId = String((await acme.ended(id))['kit_id'])
  const intact = await collect(scrubObjects(store))
  assert.ok(intact.length >= 3)
  assert.deepEqual(
    intact.filter(({ finding }) => finding !== undefined),
    [],
  )
  const policy = (await entriesOf(store, kitId)).find(({ path }) => path.endsWith('policy.txt'))
  const manifest = (await entriesOf(store, kitId)).find(({ path }) => path === 'manifest.json')
  assert.ok(policy !== undefined && manifest !== undefined)
  await store.objects.delete(policy.object)
  const damaged = {
    ...store.objects,
    read: (object: string, start?: number, end?: number) =>
      object === manifest.object ? damagedContent() : store.objects.read(object, start, end),
  }
  const findings = (await collect(scrubObjects({ ...store, objects: damaged }))).flatMap(
    ({ finding }) => finding ?? [],
  )
  const missing = findings.find(({ problem }) => problem === 'missing')
  assert.equal(missing?.object, policy.object)
  assert.deepEqual(missing.kits, [{ kit_id: kitId, paths: [policy.path] }])
  assert.deepEqual(missing.evidence, [{ submission_id: id, name: 'policy.txt' }])
  const damagedObject = findings.find(({ problem }) => problem === 'damaged')
  assert.equal(damagedObject?.object, manifest.object)
  assert.ok(damagedObject.kits[0]?.paths.includes('manifest.json'))
})

test('among many objects that are read at once, those that are damaged, truncated or missing are found, and no others', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  const acme = await workspaceClient(service, { credits: 24 })
  const ids: string[] = []
  for (let n = 0; n < 24; n += 1) {
    const id = await acme.submission()
    await acme.upload(id, form({ 'file.txt': `content ${n}` }))
    ids.push(id)
  }
  for (const id of ids) assert.equal((await acme.ended(id))['status'], 'PASS')
  const uploaded = await store.db.selectFrom('evidence').select('object').execute()
  const [damaged = '', truncated = '', missing = ''] = [3, 12, 20].map((at) => uploaded[at]?.object)
  await store.objects.delete(missing)
  const reading = { now: 0, most: 0 }
  const objects = {
    ...store.objects,
    isRemote: true,
    async *read(object: string) {
      reading.now += 1
      reading.most = Math.max(reading.most, reading.now)
      try {
        for await (const bytes of store.objects.read(object)) {
          if (object === damaged) bytes[0] = 0
          yield object === truncated ? bytes.subarray(0, 3) : bytes
        }
      } finally {
        reading.now -= 1
      }
    },
  }
  const scrubbed = await collect(scrubObjects({ ...store, objects }))
  const bad = scrubbed.flatMap(({ finding }) => finding ?? []).map(({ object, problem }) => [object, problem])
  const expected = [
    [damaged, 'damaged'],
    [truncated, 'damaged'],
    [missing, 'missing'],
  ]
  assert.deepEqual(bad.toSorted(), expected.toSorted())
  assert.ok(reading.most > 1 && reading.now === 0, `${reading.most} at once`)
  const names = scrubbed.map(({ object }) => object)
  assert.deepEqual(names, names.toSorted())
})

test('an outage stops a scrub without findings, and the next run resumes there', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  await service.issue()
  await service.issue()
  const names = (await collect(scrubObjects(store))).map(({ object }) => object)
  const unavailable = {
    ...store.objects,
    read: async function* (object: string): AsyncGenerator<Uint8Array> {
      if (object === names[1]) throw new ObjectsUnavailable('is unavailable')
      yield* store.objects.read(object)
    },
  }
  const seen: string[] = []
  const reading = async (): Promise<void> => {
    for await (const { object, finding } of scrubObjects({ ...store, objects: unavailable })) {
      assert.equal(finding, undefined)
      seen.push(object)
    }
  }
  await assert.rejects(reading(), ObjectsUnavailable)
  assert.deepEqual(seen, names.slice(0, 1))
  const rest = await collect(scrubObjects(store, names[0]))
  assert.deepEqual(
    rest.map(({ object }) => object),
    names.slice(1),
  )
})

const CONFIG = { scrubBytesPerSecond: 1_000_000_000, orphanGraceHours: 24, openIntakeTtlDays: 7 }
const { signal: never } = new AbortController()

test('every node exports the findings of the background scrub as metrics', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  await service.issue()
  const [first] = await collect(scrubObjects(store))
  await store.objects.delete(first?.object ?? '')
  const errors: object[] = []
  const log = { info: () => {}, error: (fields: object) => errors.push(fields) }
  assert.deepEqual(await scrub({ ...store, config: CONFIG, log }, never), { is: 'done' })
  assert.equal(errors.length, 1)
  const report = (await taskReports(store.db)).get('scrub')
  assert.deepEqual([report?.foundLast, report?.total], [1, 2])
  const metrics = await service.metrics()
  assert.match(metrics, /^kitseal_scrub_bad_objects 1$/m)
  assert.match(metrics, /^kitseal_scrub_objects_total 2$/m)
  assert.match(metrics, /^kitseal_scrub_last_finished_seconds \d{10}/m)
})

test('a scrub of an empty store has not finished, and is due again within a minute', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  const log = { info: () => {}, error: assert.fail }
  const pass = () => scrub({ ...store, config: CONFIG, log }, never)
  const finishedAt = async () => (await taskReports(store.db)).get('scrub')?.finishedAt
  assert.deepEqual(await pass(), { is: 'again', fault: 'none', delayMs: 60_000 })
  assert.equal(await finishedAt(), null)
  assert.match(await service.metrics(), /^kitseal_scrub_last_finished_seconds 0$/m)
  const { checks, scrub: shown } = await readServiceStatus(service.config)
  assert.equal(shown.finished_at, null)
  assert.equal(
    checks.find(({ check }) => check === 'scrub'),
    undefined,
  )
  await service.issue()
  assert.deepEqual(await pass(), { is: 'done' })
  assert.match(String(await finishedAt()), /^20/)
})

test('a scrub stopped while reading an object reports nothing and resumes there', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  await service.issue()
  const names = (await collect(scrubObjects(store))).map(({ object }) => object)
  const stopping = new AbortController()
  const objects = {
    ...store.objects,
    read: async function* (object: string): AsyncGenerator<Uint8Array> {
      if (object === names[1]) stopping.abort()
      yield* store.objects.read(object)
    },
  }
  const log = { info: () => {}, error: assert.fail }
  const outcome = await scrub({ ...store, objects, config: CONFIG, log }, stopping.signal)
  assert.deepEqual(outcome, { is: 'again', fault: 'none', delayMs: 0 })
  const report = (await taskReports(store.db)).get('scrub')
  assert.deepEqual([report?.cursor, report?.found, report?.finishedAt], [names[0], 0, null])
})

async function entriesOf(store: Store, kitId: string): Promise<readonly KitEntry[]> {
  const kits = await store.db.selectFrom('kits').select(['kit_id', 'entries']).execute()
  return JSON.parse(kits.find(({ kit_id }) => kit_id === kitId)?.entries ?? '[]') as readonly KitEntry[]
}

async function* damagedContent(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array([1, 2, 3])
}

async function collect(items: AsyncIterable<Scrubbed>): Promise<readonly Scrubbed[]> {
  const list: Scrubbed[] = []
  for await (const item of items) list.push(item)
  return list
}

test('what a complete scrub found counts, until a newer one finds nothing', async () => {
  await using service = await testService()
  await using store = await openStore(service.config)
  await service.issue()
  const bad = async () => scrubReport(await taskReports(store.db)).bad
  await noteScrub(store.db, store.clock, 2)
  assert.equal(await bad(), 2)
  const log = { info: () => {}, error: assert.fail }
  assert.deepEqual(await scrub({ ...store, config: CONFIG, log }, never), { is: 'done' })
  assert.equal(await bad(), 0)
})
