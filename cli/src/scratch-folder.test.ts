import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scratchFolder } from './scratch-folder.ts'

async function* inner(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('inner')
}

test('contents that are stored at the same time do not mix, and discarding one keeps the other', async () => {
  using scratch = scratchFolder()
  // An archive in an archive is stored while the outer one is unpacked.
  async function* outer(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('out')
    const stored = await scratch.store(inner())
    assert.equal(String(Buffer.from(stored.source.read(0, 5))), 'inner')
    await stored.discard()
    yield Buffer.from('er')
  }
  const stored = await scratch.store(outer())
  assert.equal(String(Buffer.from(stored.source.read(0, 5))), 'outer')
})
