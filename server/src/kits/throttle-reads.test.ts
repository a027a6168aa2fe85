import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throttleReads } from './send-kit.ts'

test('of a hundred downloads at most four read at once, all finish, and aborted ones are closed', async () => {
  const state = { reading: 0, most: 0, closed: 0 }
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      for (let piece = 0; piece < 5; piece += 1) {
        state.reading += 1
        state.most = Math.max(state.most, state.reading)
        await new Promise((resolve) => setImmediate(resolve))
        state.reading -= 1
        yield Uint8Array.of(piece)
      }
    } finally {
      state.closed += 1
    }
  }
  const downloads = Array.from({ length: 100 }, async (_, index) => {
    let bytes = 0
    for await (const piece of throttleReads(content())) {
      bytes += piece.length
      if (index % 10 === 0) break
    }
    return bytes
  })
  const read = await Promise.all(downloads)
  assert.deepEqual([...new Set(read)].toSorted(), [1, 5])
  assert.ok(state.most <= 4, `${state.most} read at once`)
  assert.equal(state.closed, 100)
})

test('a failed download frees its slot', async () => {
  for (let time = 0; time < 10; time += 1) {
    await assert.rejects(async () => {
      for await (const _ of throttleReads(broken()));
    }, /damaged/)
  }
})

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1)
  throw new Error('damaged')
}
