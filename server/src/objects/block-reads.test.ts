import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockReads, detectOutage } from './block-reads.ts'
import { memoryObjects } from '../../test/memory-objects.ts'
import { ObjectsUnavailable } from './object-store.ts'

test('many small reads of a remote object take few round trips and return the same bytes', async () => {
  const { objects, reads } = remoteStore()
  const content = Uint8Array.from({ length: 1_300_000 }, (_, at) => (at * 7 + (at >> 9)) & 0xff)
  const { object } = await objects.put(content)
  const blocks = blockReads(objects, new Map([[object, content.length]]))
  for (let at = 0; at + 1000 <= content.length; at += 1000)
    assert.deepEqual(await collect(blocks.read(object, at, at + 1000)), content.slice(at, at + 1000))
  assert.equal(reads(), 3)
})

test('a large range is read with one request, and a range at the end of the object is read correctly', async () => {
  const { objects, reads } = remoteStore()
  const { object } = await objects.put(new Uint8Array(900_000).fill(5))
  const blocks = blockReads(objects, new Map([[object, 900_000]]))
  assert.equal((await collect(blocks.read(object, 0, 900_000))).length, 900_000)
  assert.equal((await collect(blocks.read(object, 899_990, 900_000))).length, 10)
  await assert.rejects(collect(blocks.read(object, 899_990, 900_001)))
  assert.equal(reads(), 3)
})

test('a local store is read without blocks', () => {
  const objects = memoryObjects()
  assert.equal(blockReads(objects, new Map()), objects)
})

test('an outage of the store is not reported as a missing object', async () => {
  const outage = new ObjectsUnavailable('is unavailable')
  const unavailable = {
    read: async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1)
      throw outage
    },
  }
  const detecting = detectOutage(unavailable)
  await collect(detecting.read('0'.repeat(64))).catch(() => undefined)
  assert.throws(() => detecting.throwIfUnavailable(), outage)
  const missing = detectOutage(memoryObjects())
  await collect(missing.read('0'.repeat(64))).catch(() => undefined)
  missing.throwIfUnavailable()
})

function remoteStore() {
  const memory = memoryObjects()
  let reads = 0
  const objects = {
    ...memory,
    isRemote: true,
    read: (object: string, start?: number, end?: number) => {
      reads += 1
      return memory.read(object, start, end)
    },
  }
  return { objects, reads: () => reads }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const bytes of chunks) parts.push(bytes)
  return new Uint8Array(Buffer.concat(parts))
}
