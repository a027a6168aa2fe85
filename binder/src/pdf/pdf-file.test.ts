import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { crossReferences, type FileEntry } from './pdf-file.ts'

const UNUSED: FileEntry = { in: 'file', offset: 0 }
const PACKED: readonly FileEntry[] = [
  { in: 'file', offset: 15 },
  { in: 'pack', pack: 20, index: 0 },
  { in: 'pack', pack: 20, index: 199 },
  { in: 'file', offset: 70_000_000 },
]

test('a cross-reference stream says where each object is', () => {
  for (const count of [1, 300, 9000]) {
    const offsets = Array.from({ length: count }, (_, at) => at * 1000)
    const inFile = offsets.map((offset): FileEntry => ({ in: 'file', offset }))
    // There is no object 0.
    const rows = unfiltered(inflateSync(crossReferences([UNUSED, ...inFile, ...PACKED])))
    assert.deepEqual(rows[0], [0, 0, 65_535])
    assert.deepEqual(
      rows.slice(1, count + 1),
      offsets.map((offset) => [1, offset, 0]),
    )
    assert.deepEqual(rows.slice(count + 1), [
      [1, 15, 0],
      [2, 20, 0],
      [2, 20, 199],
      [1, 70_000_000, 0],
    ])
  }
})

/** Undoes the PNG filters 0 and 2. */
function unfiltered(content: Buffer): readonly (readonly number[])[] {
  const rows: number[][] = []
  const above = Buffer.alloc(7)
  for (let at = 0; at < content.length; at += 8) {
    const isDifference = content[at] === 2
    for (let column = 0; column < 7; column++)
      above[column] = (content[at + 1 + column] ?? 0) + (isDifference ? (above[column] ?? 0) : 0)
    rows.push([above.readUInt8(0), above.readUInt32BE(1), above.readUInt16BE(5)])
  }
  return rows
}
