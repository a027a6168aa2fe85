import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryObjects } from '../../test/memory-objects.ts'
import { type ObjectStore, ObjectsUnavailable, type StoredObject } from '../objects/object-store.ts'
import { copyObjects } from './copy-objects.ts'

test('an object that vanishes while others are copied is reported, and everything else is copied', async () => {
  const { from, objects } = await filled(50)
  const [to, lost] = [memoryObjects(), objects[20]?.object ?? '']
  const vanishing = reading(from, async function* (object) {
    if (object === objects[3]?.object) await from.delete(lost)
    yield* from.read(object)
  })
  const { copied, present, bad } = await copyObjects(each(objects), vanishing, to)
  assert.deepEqual([copied, present, bad], [49, 0, [lost]])
  assert.deepEqual(
    await listed(to),
    objects.map(({ object }) => object).filter((name) => name !== lost),
  )
})

test('an object that is damaged in the source is not stored in the target under any name', async () => {
  const { from, objects } = await filled(20)
  const to = memoryObjects()
  const damaged = reading(from, async function* (object) {
    if (object === objects[7]?.object) yield Buffer.from('other bytes')
    else yield* from.read(object)
  })
  assert.deepEqual((await copyObjects(each(objects), damaged, to)).bad, [objects[7]?.object])
  assert.equal((await listed(to)).length, 19)
})

test('a copy that was interrupted is resumed: what is there is not read again', async () => {
  const { from, objects } = await filled(30)
  const to = memoryObjects()
  const failing = reading(from, async function* (object) {
    if (object === objects[12]?.object) throw new ObjectsUnavailable('is unavailable')
    yield* from.read(object)
  })
  await assert.rejects(copyObjects(each(objects), failing, to), ObjectsUnavailable)
  const before = await listed(to)
  assert.ok(before.length >= 12 && before.length < 30, `${before.length}`)
  const second = await copyObjects(each(objects), from, to)
  assert.deepEqual([second.present, second.copied, second.bad], [before.length, 30 - before.length, []])
})

test('of large objects only a few are in memory at once', async () => {
  const from = memoryObjects()
  const contents = Array.from({ length: 12 }, (_, n) => Buffer.alloc(2 * 1024 * 1024, n + 1))
  const objects = await Promise.all(contents.map((content) => from.put(content)))
  const passing = { now: 0, most: 0 }
  const target = memoryObjects()
  const to = {
    ...target,
    isRemote: true,
    put: async (content: Uint8Array | AsyncIterable<Uint8Array>, name?: string) =>
      target.put(
        (async function* () {
          let passed = 0
          for await (const bytes of content as AsyncIterable<Uint8Array>) {
            passed += bytes.length
            if (passed > 1024 * 1024) passing.now += 1
            passing.most = Math.max(passing.most, passing.now)
            await new Promise((resolve) => setImmediate(resolve))
            yield bytes
            if (passed > 1024 * 1024) passing.now -= 1
          }
        })(),
        name,
      ),
  }
  const { copied, copiedBytes } = await copyObjects(each(objects), from, to)
  assert.deepEqual([copied, copiedBytes], [12, 12 * 2 * 1024 * 1024])
  assert.ok(passing.most >= 1 && passing.most <= 8, `${passing.most} at once`)
})

async function filled(count: number): Promise<{ from: ObjectStore; objects: readonly StoredObject[] }> {
  const from = memoryObjects()
  const objects: StoredObject[] = []
  for (let n = 0; n < count; n += 1) objects.push(await from.put(Buffer.from(`object ${n}`)))
  return { from, objects: objects.toSorted((a, b) => (a.object < b.object ? -1 : 1)) }
}

function reading(
  objects: ObjectStore,
  read: (object: string) => AsyncIterable<Uint8Array>,
): Pick<ObjectStore, 'read' | 'isRemote'> {
  return { ...objects, isRemote: true, read }
}

async function listed(objects: ObjectStore): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { object } of objects.list()) found.push(object)
  return found
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}
