import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { joinCrc } from './kit-zip.ts'

test('CRC-32s of pieces join to that of the whole', () => {
  const bytes = Buffer.from('a room is a share of several kits')
  for (const at of [0, 1, 7, bytes.length]) {
    const [a, b] = [bytes.subarray(0, at), bytes.subarray(at)]
    assert.equal(joinCrc(crc32(a), crc32(b), b.length), crc32(bytes))
  }
  assert.notEqual(joinCrc(1, 2, 3), joinCrc(2, 1, 3))
})
