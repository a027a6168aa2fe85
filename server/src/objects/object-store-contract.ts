import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { ObjectUnreadable, type ObjectStore } from './object-store.ts'

export interface StoreUnderTest extends AsyncDisposable {
  readonly objects: ObjectStore
}

/** What every implementation of ObjectStore keeps. */
export function describeObjectStore(name: string, open: () => Promise<StoreUnderTest>): void {
  test(`${name}: what is put is read back, under its own hash`, async () => {
    await using store = await open()
    const content = pattern(3_000_001)
    const stored = await store.objects.put(content)
    assert.deepEqual(stored, { sha256: sha256Of(content), sizeBytes: content.length, crc32: crc32(content) })
    assert.deepEqual(await all(store.objects.read(stored.sha256)), content)
    assert.equal(await store.objects.has(stored.sha256), true)
  })

  test(`${name}: a stream is stored like the bytes it carries, however it is cut`, async () => {
    await using store = await open()
    const content = pattern(100_000)
    const stored = await store.objects.put(cut(content, [0, 1, 7, 7, 65_536, 99_999]))
    assert.deepEqual(stored, await store.objects.put(content))
    assert.deepEqual(await all(store.objects.read(stored.sha256)), content)
  })

  test(`${name}: pieces that are lent, and change once the next is asked for, are stored as they were`, async () => {
    await using store = await open()
    for (const pieces of [3, 30]) {
      const stored = await store.objects.put(lent(pieces))
      const expected = Buffer.concat(
        Array.from({ length: pieces }, (_, at) => new Uint8Array(LENT_BYTES).fill(at)),
      )
      assert.equal(stored.sha256, sha256Of(expected))
      assert.ok(expected.equals(await all(store.objects.read(stored.sha256))))
    }
  })

  test(`${name}: an empty object is an object`, async () => {
    await using store = await open()
    const stored = await store.objects.put(new Uint8Array())
    assert.equal(stored.sizeBytes, 0)
    assert.equal(stored.crc32, 0)
    assert.equal((await all(store.objects.read(stored.sha256))).length, 0)
  })

  test(`${name}: any range is read exactly`, async () => {
    await using store = await open()
    const content = pattern(2_100_000)
    const { sha256 } = await store.objects.put(content)
    for (const [start, end] of [
      [0, 0],
      [0, 1],
      [5, 2_099_999],
      [1_048_575, 1_048_577],
      [2_099_999, 2_100_000],
      [2_100_000, 2_100_000],
    ] as const) {
      assert.deepEqual(await all(store.objects.read(sha256, start, end)), content.slice(start, end))
    }
    assert.deepEqual(await all(store.objects.read(sha256, 2_000_000)), content.slice(2_000_000))
  })

  test(`${name}: bytes past the end are an error, never a short answer`, async () => {
    await using store = await open()
    const { sha256 } = await store.objects.put(pattern(10))
    await assert.rejects(all(store.objects.read(sha256, 0, 11)), ObjectUnreadable)
  })

  test(`${name}: a missing object and a name that is no name are both unreadable`, async () => {
    await using store = await open()
    for (const absent of ['0'.repeat(64), '', '../../etc/passwd', 'A'.repeat(64), `${'0'.repeat(63)}\0`]) {
      assert.equal(await store.objects.has(absent), false)
      assert.equal(await store.objects.fingerprint(absent), undefined)
      await assert.rejects(all(store.objects.read(absent)), ObjectUnreadable)
      await store.objects.delete(absent)
    }
  })

  test(`${name}: a deleted object is gone, and can be put again`, async () => {
    await using store = await open()
    const content = pattern(1000)
    const { sha256 } = await store.objects.put(content)
    await store.objects.delete(sha256)
    assert.equal(await store.objects.has(sha256), false)
    await store.objects.delete(sha256)
    await store.objects.put(content)
    assert.deepEqual(await all(store.objects.read(sha256)), content)
  })

  test(`${name}: an object's fingerprint stays while nobody touches it`, async () => {
    await using store = await open()
    const { sha256 } = await store.objects.put(pattern(10))
    const before = await store.objects.fingerprint(sha256)
    assert.notEqual(before, undefined)
    await store.objects.put(pattern(11))
    assert.equal(await store.objects.fingerprint(sha256), before)
    await store.objects.delete(sha256)
    assert.equal(await store.objects.fingerprint(sha256), undefined)
  })

  test(`${name}: every object is listed once, in the order of the names, with its size and its time`, async () => {
    await using store = await open()
    const names = []
    for (const size of [1, 2, 3, 4, 5]) names.push((await store.objects.put(pattern(size))).sha256)
    names.sort()
    const listed = await gathered(store.objects.list())
    assert.deepEqual(
      listed.map(({ sha256 }) => sha256),
      names,
    )
    for (const { sizeBytes, keptAtMs } of listed) {
      assert.ok(sizeBytes >= 1 && sizeBytes <= 5)
      assert.ok(Math.abs(keptAtMs - Date.now()) < 120_000)
    }
    const look = await store.objects.inspect(names[3] ?? '')
    assert.equal(look?.sizeBytes, listed[3]?.sizeBytes)
    assert.ok(Math.abs((look?.keptAtMs ?? 0) - (listed[3]?.keptAtMs ?? 0)) <= 1000)
    const later = await gathered(store.objects.list(names[2]))
    assert.deepEqual(later, listed.slice(3))
    assert.equal(await store.objects.inspect('0'.repeat(64)), undefined)
  })

  test(`${name}: a store that was never used can be listed, swept and checked`, async () => {
    await using store = await open()
    assert.deepEqual(await gathered(store.objects.list()), [])
    assert.equal(await store.objects.sweepTemp(), 0)
    await store.objects.put(pattern(1))
    await store.objects.check()
  })

  test(`${name}: a put that fails half-way leaves no object`, async () => {
    await using store = await open()
    const content = pattern(200_000)
    await assert.rejects(store.objects.put(failingAfter(content)), /the line was cut/)
    assert.equal(await store.objects.has(sha256Of(content)), false)
    assert.equal(await store.objects.sweepTemp(), 0)
  })

  test(`${name}: what is staged is an object once it is kept, and nothing once it is discarded`, async () => {
    await using store = await open()
    const [kept, discarded] = [pattern(600_000), pattern(600_001)]
    const [one, other] = [await store.objects.stage(cut(kept, [3])), await store.objects.stage(discarded)]
    assert.equal(one.sha256, sha256Of(kept))
    assert.equal(await store.objects.has(one.sha256), false)
    await one.keep()
    await other.discard()
    assert.deepEqual(await all(store.objects.read(one.sha256)), kept)
    assert.equal(await store.objects.has(other.sha256), false)
    assert.equal(await store.objects.sweepTemp(), 0)
  })

  test(`${name}: discarding what was staged takes the same bytes from nobody else`, async () => {
    await using store = await open()
    const { sha256 } = await store.objects.put(pattern(1000))
    await (await store.objects.stage(pattern(1000))).discard()
    assert.equal(await store.objects.has(sha256), true)
  })

  test(`${name}: many puts of the same bytes at once all succeed`, async () => {
    await using store = await open()
    const content = pattern(50_000)
    const stored = await Promise.all(Array.from({ length: 20 }, () => store.objects.put(content)))
    assert.equal(new Set(stored.map((each) => each.sha256)).size, 1)
    assert.deepEqual(await all(store.objects.read(sha256Of(content))), content)
  })

  test(`${name}: bytes that the caller changes after the call are stored as they were`, async () => {
    await using store = await open()
    const content = pattern(5000)
    const before = content.slice()
    const putting = store.objects.put(content)
    content.fill(0)
    const { sha256 } = await putting
    assert.equal(sha256, sha256Of(before))
    assert.deepEqual(await all(store.objects.read(sha256)), before)
  })
}

const LENT_BYTES = 256 * 1024

async function* lent(pieces: number): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(LENT_BYTES)
  for (let at = 0; at < pieces; at += 1) {
    yield piece.fill(at)
    piece.fill(0xff)
  }
}

function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 0xff)
}

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

async function* cut(content: Uint8Array, at: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const to of [...at, content.length]) {
    yield content.subarray(from, to)
    from = to
  }
}

async function* failingAfter(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
  throw new Error('the line was cut')
}

async function gathered<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return new Uint8Array(Buffer.concat(parts))
}
