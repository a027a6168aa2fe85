import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adopt, gather, giveBack, share, takeMemory } from './own-memory.ts'

test('memory that is given back is gone at once, for everybody who still looks at it', () => {
  const bytes = takeMemory(4096).fill(7)
  const view = bytes.subarray(10, 20)
  giveBack(view)
  assert.equal(bytes.length, 0)
  assert.equal(view.length, 0)
  // Twice is no harm.
  giveBack(bytes)
})

test('a thousand buffers that are given back take the memory of a few', () => {
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < 1000; count++) giveBack(takeMemory(1024 * 1024))
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024)
})

test('what was not taken here, or is shared, stays when it is given back', () => {
  const others = Buffer.from('others')
  giveBack(others)
  assert.equal(String(others), 'others')
  const shared = share(taken('shared'))
  giveBack(shared)
  assert.equal(textOf(shared), 'shared')
})

test('bytes that are adopted are freed, unless they are a part of memory that others may hold', () => {
  const whole = adopt(new Uint8Array([1, 2, 3]))
  giveBack(whole)
  assert.equal(whole.length, 0)
  const part = adopt(Buffer.from('from the pool'))
  giveBack(part)
  assert.equal(String(part), 'from the pool')
})

test('a slice is a copy, which outlives what it was cut from', () => {
  const bytes = taken('abcdef')
  const slice = bytes.slice(2, 4)
  giveBack(bytes)
  assert.equal(textOf(slice), 'cd')
})

test('pieces are gathered into one, and given back on the way', async () => {
  const parts = ['ab', 'cd', 'e'].map((text) => taken(text))
  assert.equal(textOf(await gather(inTurn(parts), 5)), 'abcde')
  assert.deepEqual(
    parts.map(({ length }) => length),
    [0, 0, 0],
  )
})

test('one piece that is all there is comes as it is, and fewer bytes than asked for are no more', async () => {
  const [whole, part] = [Buffer.from('abcde'), Buffer.from('abc')]
  assert.equal(await gather(inTurn([whole]), 5), whole)
  assert.equal(textOf(await gather(inTurn([part]), 5)), 'abc')
  assert.equal((await gather(inTurn([]), 5)).length, 0)
})

function taken(text: string): Uint8Array {
  const bytes = takeMemory(text.length)
  bytes.set(Buffer.from(text))
  return bytes
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}
