import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockReads } from './block-reads.ts'
import { memoryObjects } from './memory-objects.ts'
import { detectOutage } from './detect-outage.ts'
import { ObjectsUnavailable } from './object-store.ts'

test('many small parts of one far object take few round trips, and are the same bytes', async () => {
  const { objects, reads } = farStore()
  const content = Uint8Array.from({ length: 1_300_000 }, (_, at) => (at * 7 + (at >> 9)) & 0xff)
  const { sha256 } = await objects.put(content)
  const near = blockReads(objects, new Map([[sha256, content.length]]))
  for (let at = 0; at + 1000 <= content.length; at += 1000)
    assert.deepEqual(await all(near.read(sha256, at, at + 1000)), content.slice(at, at + 1000))
  assert.equal(reads(), 3)
})

test('a large part is read at once, and the end of the object is no stumbling block', async () => {
  const { objects, reads } = farStore()
  const { sha256 } = await objects.put(new Uint8Array(900_000).fill(5))
  const near = blockReads(objects, new Map([[sha256, 900_000]]))
  assert.equal((await all(near.read(sha256, 0, 900_000))).length, 900_000)
  assert.equal((await all(near.read(sha256, 899_990, 900_000))).length, 10)
  await assert.rejects(all(near.read(sha256, 899_990, 900_001)))
  assert.equal(reads(), 3)
})

test('a store that is near is read as it is', () => {
  const objects = memoryObjects()
  assert.equal(blockReads(objects, new Map()), objects)
})

test('a failure of the store is told from a finding about what is stored', async () => {
  const outage = new ObjectsUnavailable('is away')
  const down = {
    read: async function* (): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1)
      throw outage
    },
  }
  const noticing = detectOutage(down)
  await all(noticing.read('0'.repeat(64))).catch(() => undefined)
  assert.throws(() => noticing.throwIfUnavailable(), outage)
  const missing = detectOutage(memoryObjects())
  await all(missing.read('0'.repeat(64))).catch(() => undefined)
  missing.throwIfUnavailable()
})

function farStore() {
  const memory = memoryObjects()
  let reads = 0
  const objects = {
    ...memory,
    isRemote: true,
    read: (sha256: string, start?: number, end?: number) => {
      reads += 1
      return memory.read(sha256, start, end)
    },
  }
  return { objects, reads: () => reads }
}

async function all(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const bytes of chunks) parts.push(bytes)
  return new Uint8Array(Buffer.concat(parts))
}
