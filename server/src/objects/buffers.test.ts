// Own process: it measures memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adoptBuffer, allocateBuffer, freeBuffer, shareBuffer } from './buffers.ts'
import { collectChunks, lendChunks } from './chunks.ts'

test('a freed buffer is empty at once, in all its views', () => {
  const bytes = allocateBuffer(4096).fill(7)
  const view = bytes.subarray(10, 20)
  freeBuffer(view)
  assert.equal(bytes.length, 0)
  assert.equal(view.length, 0)
  // Freeing twice is harmless.
  freeBuffer(bytes)
})

test('a thousand freed buffers take the memory of a few', () => {
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < 1000; count++) freeBuffer(allocateBuffer(1024 * 1024))
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024)
})

test('buffers that were not allocated here, or are shared, are not freed', () => {
  const others = Buffer.from('others')
  freeBuffer(others)
  assert.equal(String(others), 'others')
  const shared = shareBuffer(allocated('shared'))
  freeBuffer(shared)
  assert.equal(textOf(shared), 'shared')
})

test('adopted bytes are freed, unless they are part of a larger buffer', () => {
  const whole = adoptBuffer(new Uint8Array([1, 2, 3]))
  freeBuffer(whole)
  assert.equal(whole.length, 0)
  const part = adoptBuffer(Buffer.from('from the pool'))
  freeBuffer(part)
  assert.equal(String(part), 'from the pool')
})

test('a slice is a copy and outlives its buffer', () => {
  const bytes = allocated('abcdef')
  const slice = bytes.slice(2, 4)
  freeBuffer(bytes)
  assert.equal(textOf(slice), 'cd')
})

test('chunks are collected into one buffer and freed', async () => {
  const parts = ['ab', 'cd', 'e'].map((text) => allocated(text))
  assert.equal(textOf(await collectChunks(oneByOne(parts), 5)), 'abcde')
  assert.deepEqual(
    parts.map(({ length }) => length),
    [0, 0, 0],
  )
})

test('a single chunk is returned as it is, and missing bytes are not padded', async () => {
  const [whole, part] = [Buffer.from('abcde'), Buffer.from('abc')]
  assert.equal(await collectChunks(oneByOne([whole]), 5), whole)
  assert.equal(textOf(await collectChunks(oneByOne([part]), 5)), 'abc')
  assert.equal((await collectChunks(oneByOne([]), 5)).length, 0)
})

test('a lent chunk is freed when the next one is requested', async () => {
  const chunks = ['ab', 'cd'].map((text) => new Uint8Array(Buffer.from(text)))
  const source = chunks.values()
  const seen: string[] = []
  for await (const chunk of lendChunks(async () => source.next())) seen.push(textOf(chunk))
  assert.deepEqual(seen, ['ab', 'cd'])
  assert.deepEqual(
    chunks.map(({ length }) => length),
    [0, 0],
  )
})

function allocated(text: string): Uint8Array {
  const bytes = allocateBuffer(text.length)
  bytes.set(Buffer.from(text))
  return bytes
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

async function* oneByOne(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
