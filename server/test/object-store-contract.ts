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

  test(`${name}: a stored object is measured, and read back by its name`, async () => {
    await using store = await open()
    const content = pattern(3_000_001)
    const stored = await store.objects.put(content)
    const { object, ...measured } = stored
    assert.deepEqual(measured, {
      sha256: sha256Of(content),
      sizeBytes: content.length,
      crc32: crc32(content),
    })
    assert.deepEqual(await collect(store.objects.read(object)), content)
    assert.equal((await store.objects.inspect(object))?.sizeBytes, content.length)
  })

  test(`${name}: a stream is stored like the same bytes, whatever its chunk sizes`, async () => {
    await using store = await open()
    const content = pattern(100_000)
    const stored = await store.objects.put(split(content, [0, 1, 7, 7, 65_536, 99_999]))
    assert.deepEqual({ ...(await store.objects.put(content)), object: stored.object }, stored)
    assert.deepEqual(await collect(store.objects.read(stored.object)), content)
  })

  test(`${name}: a source may reuse its buffer for the next chunk`, async () => {
    await using store = await open()
    for (const chunks of [3, 30]) {
      const stored = await store.objects.put(reusedBuffer(chunks))
      const expected = Buffer.concat(
        Array.from({ length: chunks }, (_, at) => new Uint8Array(CHUNK_BYTES).fill(at)),
      )
      assert.equal(stored.sha256, sha256Of(expected))
      assert.ok(expected.equals(await collect(store.objects.read(stored.object))))
    }
  })

  test(`${name}: an empty object can be stored and read`, async () => {
    await using store = await open()
    const stored = await store.objects.put(new Uint8Array())
    assert.equal(stored.sizeBytes, 0)
    assert.equal(stored.crc32, 0)
    assert.equal((await collect(store.objects.read(stored.object))).length, 0)
  })

  test(`${name}: any range can be read`, async () => {
    await using store = await open()
    const content = pattern(2_100_000)
    const { object } = await store.objects.put(content)
    for (const [start, end] of [
      [0, 0],
      [0, 1],
      [5, 2_099_999],
      [1_048_575, 1_048_577],
      [2_099_999, 2_100_000],
      [2_100_000, 2_100_000],
    ] as const) {
      assert.deepEqual(await collect(store.objects.read(object, start, end)), content.slice(start, end))
    }
    assert.deepEqual(await collect(store.objects.read(object, 2_000_000)), content.slice(2_000_000))
  })

  test(`${name}: a range past the end is an error, not a short read`, async () => {
    await using store = await open()
    const { object } = await store.objects.put(pattern(10))
    await assert.rejects(collect(store.objects.read(object, 0, 11)), ObjectUnreadable)
  })

  test(`${name}: a missing object and an invalid name are unreadable`, async () => {
    await using store = await open()
    for (const object of ['0'.repeat(32), '', '../../etc/passwd', 'A'.repeat(32), `${'0'.repeat(31)}\0`]) {
      assert.equal(await store.objects.inspect(object), undefined)
      assert.equal(await store.objects.fingerprint(object), undefined)
      await assert.rejects(collect(store.objects.read(object)), ObjectUnreadable)
      await store.objects.delete(object)
    }
  })

  test(`${name}: a deleted object is gone and can be stored again`, async () => {
    await using store = await open()
    const content = pattern(1000)
    const { object } = await store.objects.put(content)
    await store.objects.delete(object)
    assert.equal(await store.objects.inspect(object), undefined)
    await store.objects.delete(object)
    await store.objects.put(content, object)
    assert.deepEqual(await collect(store.objects.read(object)), content)
  })

  test(`${name}: the fingerprint of an unchanged object stays the same`, async () => {
    await using store = await open()
    const { object } = await store.objects.put(pattern(10))
    const before = await store.objects.fingerprint(object)
    assert.notEqual(before, undefined)
    await store.objects.put(pattern(11))
    assert.equal(await store.objects.fingerprint(object), before)
    await store.objects.delete(object)
    assert.equal(await store.objects.fingerprint(object), undefined)
  })

  test(`${name}: objects are listed once, ordered by name, with size and time`, async () => {
    await using store = await open()
    const names = []
    for (const size of [1, 2, 3, 4, 5]) names.push((await store.objects.put(pattern(size))).object)
    names.sort()
    const listed = await collectItems(store.objects.list())
    assert.deepEqual(
      listed.map(({ object }) => object),
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
    assert.equal(await store.objects.inspect('0'.repeat(32)), undefined)
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
    assert.deepEqual(await collectItems(store.objects.list()), [])
    assert.equal(await store.objects.sweepTemp(), 0)
  })

  test(`${name}: a copy has the same bytes under another name, and stays when the original is deleted`, async () => {
    await using store = await open()
    const content = pattern(600_000)
    const { object } = await store.objects.put(content)
    const copy = await store.objects.copy(object)
    assert.notEqual(copy, object)
    await store.objects.delete(object)
    assert.deepEqual(await collect(store.objects.read(copy)), content)
    assert.deepEqual(
      (await collectItems(store.objects.list())).map((listed) => listed.object),
      [copy],
    )
    await assert.rejects(store.objects.copy(object), ObjectUnreadable)
  })

  test(`${name}: the same bytes put twice are two objects`, async () => {
    await using store = await open()
    const content = pattern(50_000)
    const stored = await Promise.all(Array.from({ length: 20 }, () => store.objects.put(content)))
    assert.equal(new Set(stored.map(({ object }) => object)).size, 20)
    for (const { object } of stored) assert.deepEqual(await collect(store.objects.read(object)), content)
  })

  test(`${name}: put stores the bytes as they were at the call`, async () => {
    await using store = await open()
    const content = pattern(5000)
    const before = content.slice()
    const putting = store.objects.put(content)
    content.fill(0)
    const { object, sha256 } = await putting
    assert.equal(sha256, sha256Of(before))
    assert.deepEqual(await collect(store.objects.read(object)), before)
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
