import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { openXml, zipOf } from '../../test/evidence-samples.ts'
import { xlsx } from '../../test/make-xlsx.ts'
import { readWorkbook } from './read-workbook.ts'

const replaced = (file: Uint8Array, name: string, from: string, to: string): Uint8Array => {
  const parts = unzipSync(file)
  const text = new TextDecoder().decode(parts[name])
  assert.ok(text.includes(from))
  return zipSync({ ...parts, [name]: strToU8(text.replace(from, to)) })
}

test('a workbook is the values of its sheets, and dates are dates', async () => {
  const rows = [
    ['name', 'since'],
    ['ann', 46_000],
  ]
  assert.deepEqual(await readWorkbook(xlsx(rows, [['second sheet']])), [
    [
      ['name', 'since'],
      ['ann', new Date('2025-12-09T00:00:00.000Z')],
    ],
    [['second sheet']],
  ])
})

test('a file that unpacks to more than 32 MB, or has cells in every corner, is too large', async () => {
  const bomb = openXml('xlsx', { 'xl/sheet.xml': 'x'.repeat(40 * 1024 * 1024) })
  assert.ok(bomb.length < 200_000)
  await assert.rejects(readWorkbook(bomb), /too large/)
  const sparse = replaced(xlsx([['a', 'b'], ['c']]), 'xl/worksheets/sheet1.xml', 'r="A2"', 'r="XFD1048576"')
  await assert.rejects(readWorkbook(sparse), /too large/)
  const hidden = replaced(xlsx([['a']]), 'xl/worksheets/sheet1.xml', 'r="A1"', 'r="&#88;FD1"')
  await assert.rejects(readWorkbook(hidden), /damaged/)
})

test('what is damaged or no workbook is not read', async () => {
  await assert.rejects(readWorkbook(xlsx([['a']]).subarray(0, 100)), /damaged/)
  await assert.rejects(readWorkbook(new TextEncoder().encode('PK no archive')), /damaged/)
  await assert.rejects(readWorkbook(zipOf({ 'a.xml': '<a/>' })))
})
