import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { webHost } from '@kitseal/kit'
import { inMemory } from './memory-surroundings.ts'

test('in a browser, a source that fails midway rejects with its own error', { timeout: 10_000 }, async () => {
  const content = randomBytes(300_000)
  const deflated = deflateRawSync(content)
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield deflated.subarray(0, 50_000)
    throw new Error('the disk is gone')
  }
  const sizes = { compressedBytes: deflated.length, sizeBytes: content.length }
  await assert.rejects(Array.fromAsync(inMemory(webHost).inflate(failing(), sizes)), {
    message: 'the disk is gone',
  })
})
