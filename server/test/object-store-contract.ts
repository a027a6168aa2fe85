import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { ObjectUnreadable } from '../src/objects/object-store.ts'
import { describeResumable, type ReopenableStore } from './resumable-objects-contract.ts'

export type StoreUnderTest = ReopenableStore

/** Tests that every ObjectStore must pass. */
export function describeObjectStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describeResumable(name, open)

  test(`${name}: a stored object is read back by its hash`, async () => {
    await using store = await open()
    const content = pattern(3_000_001)
    const stored = await store.objects.put(content)
    assert.deepEqual(stored, { sha256: sha256Of(content), sizeBytes: content.length, crc32: crc32(content) })
    assert.deepEqual(await collect(store.objects.read(stored.sha256)), content)
    assert.equal(await store.objects.has(stored.sha256), true)
  })

  test(`${name}: a stream is stored like the same bytes, whatever its chunk sizes`, async () => {
    await using store = await open()
    const content = pattern(100_000)
    const stored = await store.objects.put(split(content, [0, 1, 7, 7, 65_536, 99_999]))
    assert.deepEqual(stored, await store.objects.put(content))
    assert.deepEqual(await collect(store.objects.read(stored.sha256)), content)
  })

  test(`${name}: a source may reuse its buffer for the next chunk`, async () => {
    await using store = await open()
    for (const chunks of [3, 30]) {
      const stored = await store.objects.put(reusedBuffer(chunks))
      const expected = Buffer.concat(
        Array.from({ length: chunks }, (_, at) => new Uint8Array(CHUNK_BYTES).fill(at)),
      )
      assert.equal(stored.sha256, sha256Of(expected))
      assert.ok(expected.equals(await collect(store.objects.read(stored.sha256))))
    }
  })

  test(`${name}: an empty object can be stored and read`, async () => {
    await using store = await open()
    const stored = await store.objects.put(new Uint8Array())
    assert.equal(stored.sizeBytes, 0)
    assert.equal(stored.crc32, 0)
    assert.equal((await collect(store.objects.read(stored.sha256))).length, 0)
  })

  test(`${name}: any range can be read`, async () => {
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
      assert.deepEqual(await collect(store.objects.read(sha256, start, end)), content.slice(start, end))
    }
    assert.deepEqual(await collect(store.objects.read(sha256, 2_000_000)), content.slice(2_000_000))
  })

  test(`${name}: a range past the end is an error, not a short read`, async () => {
    await using store = await open()
    const { sha256 } = await store.objects.put(pattern(10))
    await assert.rejects(collect(store.objects.read(sha256, 0, 11)), ObjectUnreadable)
  })

  test(`${name}: a missing object and an invalid name are unreadable`, async () => {
    await using store = await open()
    for (const sha256 of ['0'.repeat(64), '', '../../etc/passwd', 'A'.repeat(64), `${'0'.repeat(63)}\0`]) {
      assert.equal(await store.objects.has(sha256), false)
      assert.equal(await store.objects.fingerprint(sha256), undefined)
      await assert.rejects(collect(store.objects.read(sha256)), ObjectUnreadable)
      await store.objects.delete(sha256)
    }
  })

  test(`${name}: a deleted object is gone and can be stored again`, async () => {
    await using store = await open()
    const content = pattern(1000)
    const { sha256 } = await store.objects.put(content)
    await store.objects.delete(sha256)
    assert.equal(await store.objects.has(sha256), false)
    await store.objects.delete(sha256)
    await store.objects.put(content)
    assert.deepEqual(await collect(store.objects.read(sha256)), content)
  })

  test(`${name}: the fingerprint of an unchanged object stays the same`, async () => {
    await using store = await open()
    const { sha256 } = await store.objects.put(pattern(10))
    const before = await store.objects.fingerprint(sha256)
    assert.notEqual(before, undefined)
    await store.objects.put(pattern(11))
    assert.equal(await store.objects.fingerprint(sha256), before)
    await store.objects.delete(sha256)
    assert.equal(await store.objects.fingerprint(sha256), undefined)
  })

  test(`${name}: objects are listed once, ordered by name, with size and time`, async () => {
    await using store = await open()
    const names = []
    for (const size of [1, 2, 3, 4, 5]) names.push((await store.objects.put(pattern(size))).sha256)
    names.sort()
    const listed = await collectItems(store.objects.list())
    assert.deepEqual(
      listed.map(({ sha256 }) => sha256),
      names,
    )
    for (const { sizeBytes, keptAtMs } of listed) {
      assert.ok(sizeBytes >= 1 && sizeBytes <= 5)
      assert.ok(Math.abs(keptAtMs - Date.now()) < 120_000)
    }
    const info = await store.objects.inspect(names[3] ?? '')
    assert.equal(info?.sizeBytes, listed[3]?.sizeBytes)
    assert.ok(Math.abs((info?.keptAtMs ?? 0) - (listed[3]?.keptAtMs ?? 0)) <= 1000)
    const later = await collectItems(store.objects.list(names[2]))
    assert.deepEqual(later, listed.slice(3))
    assert.equal(await store.objects.inspect('0'.repeat(64)), undefined)
  })

  test(`${name}: an unused store can be listed, swept and checked`, async () => {
    await using store = await open()
    assert.deepEqual(await collectItems(store.objects.list()), [])
    assert.equal(await store.objects.sweepTemp(), 0)
    await store.objects.put(pattern(1))
    await store.objects.check()
  })

  test(`${name}: a put that fails midway leaves no object`, async () => {
    await using store = await open()
    const content = pattern(200_000)
    await assert.rejects(store.objects.put(failingAfter(content)), /connection lost/)
    assert.equal(await store.objects.has(sha256Of(content)), false)
    assert.equal(await store.objects.sweepTemp(), 0)
  })

  test(`${name}: a staged object exists after keep() and not after discard()`, async () => {
    await using store = await open()
    const [kept, discarded] = [pattern(600_000), pattern(600_001)]
    const [one, other] = [await store.objects.stage(split(kept, [3])), await store.objects.stage(discarded)]
    assert.equal(one.sha256, sha256Of(kept))
    assert.equal(await store.objects.has(one.sha256), false)
    await one.keep()
    await other.discard()
    assert.deepEqual(await collect(store.objects.read(one.sha256)), kept)
    assert.equal(await store.objects.has(other.sha256), false)
    assert.equal(await store.objects.sweepTemp(), 0)
  })

  test(`${name}: discarding a staged object keeps a stored object with the same bytes`, async () => {
    await using store = await open()
    const { sha256 } = await store.objects.put(pattern(1000))
    await (await store.objects.stage(pattern(1000))).discard()
    assert.equal(await store.objects.has(sha256), true)
  })

  test(`${name}: concurrent puts of the same bytes all succeed`, async () => {
    await using store = await open()
    const content = pattern(50_000)
    const stored = await Promise.all(Array.from({ length: 20 }, () => store.objects.put(content)))
    assert.equal(new Set(stored.map((each) => each.sha256)).size, 1)
    assert.deepEqual(await collect(store.objects.read(sha256Of(content))), content)
  })

  test(`${name}: put stores the bytes as they were at the call`, async () => {
    await using store = await open()
    const content = pattern(5000)
    const before = content.slice()
    const putting = store.objects.put(content)
    content.fill(0)
    const { sha256 } = await putting
    assert.equal(sha256, sha256Of(before))
    assert.deepEqual(await collect(store.objects.read(sha256)), before)
  })
}

const CHUNK_BYTES = 256 * 1024

async function* reusedBuffer(chunks: number): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(CHUNK_BYTES)
  for (let at = 0; at < chunks; at += 1) {
    yield chunk.fill(at)
    chunk.fill(0xff)
  }
}

function pattern(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at += 1) bytes[at] = at * 31 + (at >> 8)
  return bytes
}

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

async function* split(content: Uint8Array, at: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const to of [...at, content.length]) {
    yield content.subarray(from, to)
    from = to
  }
}

async function* failingAfter(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
  throw new Error('connection lost')
}

async function collectItems<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return new Uint8Array(Buffer.concat(parts))
}
