import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import {
  newObjectName,
  type ObjectStore,
  PartialLost,
  type PartialObject,
  type PartialProgress,
} from '../src/objects/object-store.ts'

export interface ReopenableStore extends AsyncDisposable {
  readonly objects: ObjectStore
  /** The same store, as another process sees it. */
  readonly reopen?: () => ObjectStore
}

/** Tests of `resumable` that every ObjectStore must pass. */
export function describeResumable(name: string, open: () => Promise<ReopenableStore>): void {
  test(`${name}: content that arrives in pieces is stored like the same bytes at once`, async () => {
    await using store = await open()
    const content = pattern(20_000_003)
    const upload = record(content.length)
    for (const end of [0, 1, 5_000_000, 5_000_001, 16_777_216, 20_000_003])
      await upload.append(store.objects, content.subarray(upload.partial.offset, end))
    const stored = await store.objects.resumable.finish(upload.partial)
    assert.deepEqual(
      [stored.sha256, stored.sizeBytes, stored.crc32],
      [sha256Of(content), content.length, crc32(content)],
    )
    assert.equal(stored.object, upload.partial.object)
    await store.objects.resumable.remove(upload.partial)
    assert.ok(content.equals(await collect(store.objects.read(stored.object))))
  })

  test(`${name}: another process continues, also after a crash in the middle of a request`, async () => {
    await using store = await open()
    const reopen = store.reopen ?? (() => store.objects)
    const content = pattern(20_000_000)
    const upload = record(content.length)
    await upload.append(store.objects, content.subarray(0, 9_000_000))
    // Bytes that were never committed are there, and different.
    await upload
      .append(reopen(), Buffer.alloc(9_500_000, 'other'), 'without committing')
      .catch((error: unknown) => assert.match(String(error), /crashed/))
    await upload.append(reopen(), content.subarray(9_000_000, 18_000_000))
    await upload.append(reopen(), content.subarray(18_000_000))
    const last = reopen()
    assert.equal((await last.resumable.finish(upload.partial)).sha256, sha256Of(content))
    const again = await reopen().resumable.finish(upload.partial)
    assert.equal(again.sha256, sha256Of(content))
    assert.equal((await collect(store.objects.read(again.object))).length, content.length)
    await store.objects.resumable.remove(upload.partial)
  })

  test(`${name}: what arrived before a connection broke is stored`, async () => {
    await using store = await open()
    const content = pattern(12_000_000)
    const upload = record(content.length)
    await assert.rejects(upload.append(store.objects, broken(content.subarray(0, 10_000_000))), /broken/)
    assert.equal(upload.partial.offset, 10_000_000)
    await upload.append(store.objects, content.subarray(10_000_000))
    assert.equal((await store.objects.resumable.finish(upload.partial)).sha256, sha256Of(content))
  })

  test(`${name}: a piece that must be whole is stored as a whole or not at all`, async () => {
    await using store = await open()
    const content = pattern(18_000_000)
    const upload = record(content.length)
    await upload.append(store.objects, content.subarray(0, 1_000_000))
    await assert.rejects(upload.append(store.objects, broken(Buffer.alloc(16_000_000)), 'atomic'), /broken/)
    assert.equal(upload.partial.offset, 1_000_000)
    await upload.append(store.objects, content.subarray(1_000_000), 'atomic')
    assert.equal((await store.objects.resumable.finish(upload.partial)).sha256, sha256Of(content))
  })

  test(`${name}: empty content can be stored in pieces too`, async () => {
    await using store = await open()
    const upload = record(0)
    await upload.append(store.objects, new Uint8Array())
    const stored = await store.objects.resumable.finish(upload.partial)
    assert.equal((await collect(store.objects.read(stored.object))).length, 0)
  })

  test(`${name}: content that is gone cannot be continued or finished`, async () => {
    await using store = await open()
    const upload = record(10_000_000)
    await upload.append(store.objects, pattern(9_000_000))
    await store.objects.resumable.remove(upload.partial)
    await store.objects.resumable.remove(upload.partial)
    await assert.rejects(upload.append(store.objects, pattern(1_000_000)), PartialLost)
    await assert.rejects(store.objects.resumable.finish(upload.partial), PartialLost)
  })
}

type How = 'atomic' | 'without committing' | 'as it arrives'

/** Keeps the record of an upload, as the database does. */
function record(sizeBytes: number) {
  let partial: PartialObject = { object: newObjectName(), sizeBytes, offset: 0, state: '' }
  return {
    get partial() {
      return partial
    },
    append: async (
      objects: ObjectStore,
      content: Uint8Array | AsyncIterable<Uint8Array>,
      how: How = 'as it arrives',
    ): Promise<void> => {
      const commit = async (progress: PartialProgress): Promise<void> => {
        if (how === 'without committing') throw new Error('crashed')
        partial = { ...partial, ...progress }
      }
      const chunks = content instanceof Uint8Array ? inChunks(content) : content
      await objects.resumable.append(partial, chunks, { commit, atomic: how === 'atomic' })
    },
  }
}

async function* inChunks(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 300_000) yield content.subarray(at, at + 300_000)
}

async function* broken(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* inChunks(content)
  throw new Error('the connection is broken')
}

function pattern(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += 997) bytes.writeUInt8((at * 31) % 251, at)
  return bytes
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk.slice())
  return Buffer.concat(parts)
}
