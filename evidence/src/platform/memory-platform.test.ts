import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { webHost } from '@kitseal/kit'
import { memoryPlatform } from './memory-platform.ts'

const CONTENT = randomBytes(300_000)
const DEFLATED = deflateRawSync(CONTENT)

async function* failing(): AsyncGenerator<Uint8Array> {
  yield DEFLATED.subarray(0, 50_000)
  throw new Error('the disk is gone')
}

test('in a browser, a source that fails midway rejects with its own error', { timeout: 60_000 }, async () => {
  const sizes = { compressedBytes: DEFLATED.length, sizeBytes: CONTENT.length }
  const readAll = async (): Promise<void> => {
    for await (const bytes of memoryPlatform(webHost).inflate(failing(), sizes)) assert.ok(bytes.length > 0)
  }
  await assert.rejects(readAll(), { message: 'the disk is gone' })
})
