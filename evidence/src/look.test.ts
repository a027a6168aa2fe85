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

test('where files may be attached to a PDF is seen in the one pass, however its pieces are cut', async () => {
  const marks = '/EmbeddedFile/EmbeddedFile //EmbeddedFiles'
  const content = Buffer.from(`%PDF-1.7\n${marks}${'x'.repeat(5000)}${marks}`)
  const wanted = [...content.toString().matchAll(/\/EmbeddedFile/g)].map(({ index }) => index)
  for (const pieceBytes of [1, 2, 5, 12, 13, 14, 40, HEAD_BYTES, content.length]) {
    const order = { path: 'a.pdf', sizeBytes: content.length, measured: false, parsedBytes: 0 }
    const look = new Look(order, nodeHost)
    for (let at = 0; at < content.length; at += pieceBytes) look.push(content.subarray(at, at + pieceBytes))
    assert.deepEqual((await look.end()).attachmentsAt, wanted, `pieces of ${pieceBytes}`)
  }
})
