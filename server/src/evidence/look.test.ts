import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { nodeHost } from '@kitseal/kit/node'
import { HEAD_BYTES, SMALL_BYTES } from './limits.ts'
import { Look } from './look.ts'

test('of a large file a copy of its head is kept, however its pieces are cut: they are lent', async () => {
  const content = Buffer.alloc(SMALL_BYTES + 1, 'All of it is text.\n')
  for (const pieceBytes of [HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, content.length]) {
    const look = new Look(
      { path: 'a.txt', sizeBytes: content.length, measured: true, parsedBytes: 0 },
      nodeHost,
    )
    for (let at = 0; at < content.length; at += pieceBytes) {
      const piece = Buffer.from(content.subarray(at, at + pieceBytes))
      look.push(piece)
      piece.fill(0)
    }
    const { head, sha256, content: told } = await look.end()
    assert.equal(
      String(Buffer.from(head)),
      String(content.subarray(0, HEAD_BYTES)),
      `pieces of ${pieceBytes}`,
    )
    assert.equal(sha256, createHash('sha256').update(content).digest('hex'))
    assert.equal(told, 'text')
  }
})
