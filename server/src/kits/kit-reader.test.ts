import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { KitId } from '../runtime/identifiers.ts'
import { kitsUnderTest } from '../../test/test-kits.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { CACHE_MS, kitReader, kitSemaphore } from './verify-receipt.ts'

test('concurrent requests for one kit share one read', async () => {
  await using place = await kitsUnderTest()
  const kit = await issuedKit(place)
  const counted = counting(place.objects)
  const reader = kitReader(counted.objects)
  const before = counted.reads()
  const one = await reader.examine(kit)
  const each = counted.reads() - before
  assert.ok(each > 0)
  const again = kitReader(counted.objects)
  const examined = await Promise.all(Array.from({ length: 50 }, () => again.examine(kit)))
  assert.equal(counted.reads() - before, each * 2)
  assert.equal(new Set(examined).size, 1)
  assert.deepEqual(examined[0]?.sha256, one.sha256)
})

test('a result is cached for one second if the objects are unchanged', async () => {
  await using place = await kitsUnderTest()
  const kit = await issuedKit(place)
  let now = 0
  const reader = kitReader(place.objects, () => now)
  const first = await reader.examine(kit)
  await nextIteration()
  now = CACHE_MS - 1
  assert.equal(await reader.examine(kit), first)
  await nextIteration()
  now = CACHE_MS
  assert.notEqual(await reader.examine(kit), first)
})

test('a slow result is cached for four times as long as it took', async () => {
  await using place = await kitsUnderTest()
  const kit = await issuedKit(place)
  let now = 0
  const slow: ObjectStore = {
    ...place.objects,
    read: (sha256, start, end) => {
      now = 2000
      return place.objects.read(sha256, start, end)
    },
  }
  const reader = kitReader(slow, () => now)
  const first = await reader.examine(kit)
  await nextIteration()
  now = 2000 + 7999
  assert.equal(await reader.examine(kit), first)
  await nextIteration()
  now = 2000 + 8000
  assert.notEqual(await reader.examine(kit), first)
})

test('a failure is not cached', async () => {
  await using place = await kitsUnderTest()
  const kit = await issuedKit(place)
  let broken = true
  const objects: ObjectStore = {
    ...place.objects,
    fingerprint: (sha256) =>
      broken ? Promise.reject(new Error('store unavailable')) : place.objects.fingerprint(sha256),
  }
  const reader = kitReader(objects)
  await assert.rejects(reader.examine(kit), /store unavailable/)
  broken = false
  await nextIteration()
  assert.equal((await reader.examine(kit)).manifest.ok, true)
})

test('a cached result does not wait for other kits that are being read, an uncached one does', async () => {
  await using place = await kitsUnderTest()
  const kit = await issuedKit(place)
  const open = Promise.withResolvers<void>()
  let isStalled = false
  const objects: ObjectStore = {
    ...place.objects,
    async *read(sha256, start, end) {
      if (isStalled) await open.promise
      yield* place.objects.read(sha256, start, end)
    },
  }
  const reader = kitReader(objects, () => 0)
  const first = await reader.examine(kit)
  await nextIteration()
  isStalled = true
  const others = Array.from({ length: 5 }, (_, at) => reader.examine({ ...kit, kitId: `kit_${at}` as KitId }))
  assert.equal(await reader.examine(kit), first)
  assert.equal(await Promise.race([others[4], nextIteration('waiting')]), 'waiting')
  open.resolve()
  for (const { manifest } of await Promise.all(others)) assert.equal(manifest.ok, true)
})

test('a full queue responds with 503 and Retry-After', async () => {
  const semaphore = kitSemaphore(1, 0)
  const open = Promise.withResolvers<void>()
  const first = semaphore.run(() => open.promise)
  await assert.rejects(
    semaphore.run(async () => {}),
    (error) => error instanceof Refusal && error.status === 503 && error.headers['retry-after'] !== undefined,
  )
  open.resolve()
  await first
})

async function issuedKit(place: Awaited<ReturnType<typeof kitsUnderTest>>) {
  const { kit } = await place.issue()
  return (await place.ctx.kits.find(kit.kit_id)) ?? assert.fail('kit not found')
}

function counting(objects: ObjectStore) {
  let count = 0
  const read: ObjectStore['read'] = (sha256, start, end) => {
    count += 1
    return objects.read(sha256, start, end)
  }
  return { objects: { ...objects, read }, reads: () => count }
}
