import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { nodeHost } from '@kitseal/kit/node'
import { HEAD_BYTES, SMALL_BYTES } from '../limits.ts'
import { ContentPass } from './content-pass.ts'

test('the head of a large file is copied, because chunks are reused, whatever their size', async () => {
  const content = Buffer.alloc(SMALL_BYTES + 1, 'All of it is text.\n')
  for (const chunkBytes of [HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, content.length]) {
    const file = {
      name: 'a.txt',
      sizeBytes: content.length,
      checksums: 'sha256 and crc32',
      takeParsing: () => false,
    } as const
    const pass = new ContentPass(file, nodeHost)
    for (let at = 0; at < content.length; at += chunkBytes) {
      const chunk = Buffer.from(content.subarray(at, at + chunkBytes))
      pass.push(chunk)
      chunk.fill(0)
    }
    const { head, sha256, format } = await pass.end()
    assert.equal(
      String(Buffer.from(head)),
      String(content.subarray(0, HEAD_BYTES)),
      `chunks of ${chunkBytes} bytes`,
    )
    assert.equal(sha256, createHash('sha256').update(content).digest('hex'))
    assert.equal(format.content, 'text')
  }
})

test('attachment markers of a PDF are found while it is read, whatever the size of the chunks', async () => {
  const markers = '/EmbeddedFile/EmbeddedFile //EmbeddedFiles'
  const content = Buffer.from(`%PDF-1.7\n${markers}${'x'.repeat(5000)}${markers}`)
  const wanted = [...content.toString().matchAll(/\/EmbeddedFile/g)].map(({ index }) => index)
  for (const chunkBytes of [1, 2, 5, 12, 13, 14, 40, HEAD_BYTES, content.length]) {
    const file = {
      name: 'a.pdf',
      sizeBytes: content.length,
      checksums: 'none',
      takeParsing: () => false,
    } as const
    const pass = new ContentPass(file, nodeHost)
    for (let at = 0; at < content.length; at += chunkBytes) pass.push(content.subarray(at, at + chunkBytes))
    assert.deepEqual((await pass.end()).markersAt, wanted, `chunks of ${chunkBytes} bytes`)
  }
})
