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
