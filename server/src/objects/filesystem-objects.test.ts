import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, mkdir, readdir, readlink, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesystemObjects } from './filesystem-objects.ts'
import { describeObjectStore, type StoreUnderTest } from '../../test/object-store-contract.ts'
import { ObjectUnreadable } from './object-store.ts'

describeObjectStore('filesystem', openStore)

test('object files are readable by their owner only, spread over 16 folders', async () => {
  await using store = await openStore()
  const { object } = await store.objects.put(new Uint8Array([1, 2, 3]))
  const found = await stat(join(store.root, object.slice(0, 1), object))
  assert.equal(found.mode & 0o077, 0)
  assert.equal(found.size, 3)
})

test('temp files of an interrupted put are deleted by sweepTemp', async () => {
  await using store = await openStore()
  await mkdir(join(store.root, 'tmp'), { recursive: true })
  const { pid } = spawnSync('true')
  await writeFile(join(store.root, 'tmp', `${hostname()} ${pid} left`), 'part of a file')
  assert.equal(await store.objects.sweepTemp(), 1)
  assert.deepEqual(await readdir(join(store.root, 'tmp')), [])
})

test('a truncated object is unreadable, and putting it again under its name repairs it', async () => {
  await using store = await openStore()
  const content = new Uint8Array(1000).fill(7)
  const { object } = await store.objects.put(content)
  await truncate(join(store.root, object.slice(0, 1), object), 10)
  await assert.rejects(collect(store.objects.read(object, 0, 1000)), ObjectUnreadable)
  await store.objects.put(content, object)
  assert.equal((await collect(store.objects.read(object))).length, 1000)
})

test('reading opens no file that it does not close', async () => {
  await using store = await openStore()
  for (const sizeBytes of [0, 1000, 400_000]) {
    const { object } = await store.objects.put(new Uint8Array(sizeBytes).fill(7))
    assert.equal((await collect(store.objects.read(object))).length, sizeBytes)
    await assert.rejects(collect(store.objects.read(object, 0, sizeBytes + 1)), ObjectUnreadable)
  }
  assert.deepEqual(await openFilesUnder(store.root), [])
})

test('concurrent puts of large objects are stored correctly while others fail', async () => {
  await using store = await openStore()
  const puts = Array.from({ length: 30 }, async (_, index) => {
    async function* content(): AsyncGenerator<Uint8Array> {
      for (let piece = 0; piece < 40; piece += 1) {
        if (index % 3 === 2 && piece === 30) throw new Error('upload failed')
        yield new Uint8Array(70_000).fill(index + piece)
      }
    }
    return store.objects.put(content())
  })
  for (const [index, result] of (await Promise.allSettled(puts)).entries()) {
    assert.equal(result.status, index % 3 === 2 ? 'rejected' : 'fulfilled')
    if (result.status === 'rejected') continue
    const bytes = await collect(store.objects.read(result.value.object))
    assert.equal(createHash('sha256').update(bytes).digest('hex'), result.value.sha256, `object ${index}`)
  }
})

test('the fingerprint of an object changes with its content, even at the same size and modification time', async () => {
  await using store = await openStore()
  const { object } = await store.objects.put(new Uint8Array(1000).fill(7))
  const path = join(store.root, object.slice(0, 1), object)
  const [before, times] = [await store.objects.fingerprint(object), await stat(path)]
  await writeFile(path, new Uint8Array(1000).fill(8))
  await utimes(path, times.atime, times.mtime)
  assert.notEqual(await store.objects.fingerprint(object), before)
})

test('the error for an unreadable object contains no path', async () => {
  await using store = await openStore()
  const { object } = await store.objects.put(new Uint8Array(1000))
  const path = join(store.root, object.slice(0, 1), object)
  await rm(path)
  await mkdir(path)
  await assert.rejects(collect(store.objects.read(object, 0, 5)), (error: unknown) => {
    assert.ok(error instanceof ObjectUnreadable)
    assert.doesNotMatch(error.message, /\//)
    return true
  })
})

test('a read that stops early closes its file', async () => {
  await using store = await openStore()
  const { object } = await store.objects.put(new Uint8Array(3_000_000))
  for await (const chunk of store.objects.read(object)) {
    assert.ok(chunk.length > 0)
    break
  }
  assert.deepEqual(await openFilesUnder(store.root), [])
})

async function openStore(): Promise<StoreUnderTest & { readonly root: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'kitseal-objects-'))
  const root = join(folder, 'objects')
  return {
    root,
    objects: filesystemObjects(root),
    reopen: () => filesystemObjects(root),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

async function openFilesUnder(root: string): Promise<readonly string[]> {
  const names = await readdir('/proc/self/fd')
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return targets.filter((target) => target.startsWith(root))
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}
