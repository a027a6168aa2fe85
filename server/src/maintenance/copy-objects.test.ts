import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { memoryObjects } from '../../test/memory-objects.ts'
import { type ObjectStore, ObjectsUnavailable } from '../objects/object-store.ts'
import { copyObjects } from './copy-objects.ts'

test('an object that vanishes while others are copied is reported, and everything else is copied', async () => {
  const { from, names } = await filled(50)
  const [to, lost] = [memoryObjects(), names[20] ?? '']
  const vanishing = reading(from, async function* (sha256) {
    if (sha256 === names[3]) await from.delete(lost)
    yield* from.read(sha256)
  })
  const { copied, present, bad } = await copyObjects(each(names), vanishing, to)
  assert.deepEqual([copied, present, bad], [49, 0, [lost]])
  assert.deepEqual(await listed(to), names.filter((name) => name !== lost).toSorted())
})

test('an object that is damaged in the source is not stored in the target under any name', async () => {
  const { from, names } = await filled(20)
  const to = memoryObjects()
  const damaged = reading(from, async function* (sha256) {
    if (sha256 === names[7]) yield Buffer.from('other bytes')
    else yield* from.read(sha256)
  })
  assert.deepEqual((await copyObjects(each(names), damaged, to)).bad, [names[7]])
  assert.equal((await listed(to)).length, 19)
})

test('a copy that was interrupted is resumed: what is there is not read again, or hashed first if asked to', async () => {
  const { from, names } = await filled(30)
  const to = memoryObjects()
  const failing = reading(from, async function* (sha256) {
    if (sha256 === names[12]) throw new ObjectsUnavailable('is unavailable')
    yield* from.read(sha256)
  })
  await assert.rejects(copyObjects(each(names), failing, to), ObjectsUnavailable)
  const before = await listed(to)
  assert.ok(before.length >= 12 && before.length < 30, `${before.length}`)
  const second = await copyObjects(each(names), from, to)
  assert.deepEqual([second.present, second.copied, second.bad], [before.length, 30 - before.length, []])

  const spoiled = names[5] ?? ''
  const repaired: string[] = []
  const untrusted = {
    ...to,
    async *read(sha256: string) {
      if (sha256 === spoiled && repaired.length === 0) yield Buffer.from('left by a crash')
      else yield* to.read(sha256)
    },
    stage: async (content: Uint8Array | AsyncIterable<Uint8Array>) => {
      const staged = await to.stage(content)
      repaired.push(staged.sha256)
      return staged
    },
  }
  const third = await copyObjects(each(names), from, untrusted, { verify: true })
  assert.deepEqual([third.present, third.copied, repaired], [29, 1, [spoiled]])
})

test('of large objects only a few are in memory at once', async () => {
  const from = memoryObjects()
  const contents = Array.from({ length: 12 }, (_, n) => Buffer.alloc(2 * 1024 * 1024, n + 1))
  for (const content of contents) await from.put(content)
  const names = await listed(from)
  const passing = { now: 0, most: 0 }
  const target = memoryObjects()
  const to = {
    ...target,
    isRemote: true,
    stage: async (content: Uint8Array | AsyncIterable<Uint8Array>) =>
      target.stage(
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
      ),
  }
  const { copied, copiedBytes } = await copyObjects(each(names), from, to)
  assert.deepEqual([copied, copiedBytes], [12, 12 * 2 * 1024 * 1024])
  assert.ok(passing.most >= 1 && passing.most <= 8, `${passing.most} at once`)
})

async function filled(count: number): Promise<{ from: ObjectStore; names: readonly string[] }> {
  const from = memoryObjects()
  const names: string[] = []
  for (let n = 0; n < count; n += 1) {
    const content = Buffer.from(`object ${n}`)
    await from.put(content)
    names.push(createHash('sha256').update(content).digest('hex'))
  }
  return { from, names: names.toSorted() }
}

function reading(
  objects: ObjectStore,
  read: (sha256: string) => AsyncIterable<Uint8Array>,
): Pick<ObjectStore, 'read' | 'isRemote'> {
  return { ...objects, isRemote: true, read }
}

async function listed(objects: ObjectStore): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { sha256 } of objects.list()) found.push(sha256)
  return found
}

async function* each(items: readonly string[]): AsyncGenerator<string> {
  yield* items
}
