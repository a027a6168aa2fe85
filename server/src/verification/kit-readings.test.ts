import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { kitCatalog } from '../kits/kit-queries.ts'
import { kitsUnderTest } from '../../test/test-kits.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'
import { kitReadings, READING_KEPT_MS } from './kit-readings.ts'
import { kitSemaphore } from './kit-semaphore.ts'

test('requests for one kit at the same time share one reading', async () => {
  await using place = await kitsUnderTest()
  const kit = await issuedKit(place)
  const counted = counting(place.objects)
  const readings = kitReadings(counted.objects)
  const before = counted.reads()
  const one = await readings.examine(kit)
  const each = counted.reads() - before
  assert.ok(each > 0)
  const again = kitReadings(counted.objects)
  const examined = await Promise.all(Array.from({ length: 50 }, () => again.examine(kit)))
  assert.equal(counted.reads() - before, each * 2)
  assert.equal(new Set(examined).size, 1)
  assert.deepEqual(examined[0]?.sha256, one.sha256)
})

test('a reading of untouched objects is good for a second, and no longer', async () => {
  await using place = await kitsUnderTest()
  const kit = await issuedKit(place)
  let now = 0
  const readings = kitReadings(place.objects, () => now)
  const first = await readings.examine(kit)
  await nextTurn()
  now = READING_KEPT_MS - 1
  assert.equal(await readings.examine(kit), first)
  await nextTurn()
  now = READING_KEPT_MS
  assert.notEqual(await readings.examine(kit), first)
})

test('a reading that took long is good for four times as long', async () => {
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
  const readings = kitReadings(slow, () => now)
  const first = await readings.examine(kit)
  await nextTurn()
  now = 2000 + 7999
  assert.equal(await readings.examine(kit), first)
  await nextTurn()
  now = 2000 + 8000
  assert.notEqual(await readings.examine(kit), first)
})

test('a reading that fails is not shared with those who come later', async () => {
  await using place = await kitsUnderTest()
  const kit = await issuedKit(place)
  let broken = true
  const objects: ObjectStore = {
    ...place.objects,
    fingerprint: (sha256) =>
      broken ? Promise.reject(new Error('the store is away')) : place.objects.fingerprint(sha256),
  }
  const readings = kitReadings(objects)
  await assert.rejects(readings.examine(kit), /the store is away/)
  broken = false
  await nextTurn()
  assert.equal((await readings.examine(kit)).manifest.ok, true)
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
  return (await kitCatalog(place.db).find(kit.kit_id)) ?? assert.fail('the kit is not there')
}

function counting(objects: ObjectStore) {
  let count = 0
  const read: ObjectStore['read'] = (sha256, start, end) => {
    count += 1
    return objects.read(sha256, start, end)
  }
  return { objects: { ...objects, read }, reads: () => count }
}
