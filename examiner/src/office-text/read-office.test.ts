import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { openXml, zipOf } from '../../test/evidence-samples.ts'
import { xlsx } from '../../test/make-xlsx.ts'
import { type OfficeText, readOffice } from './read-office.ts'

const read = (bytes: Uint8Array, characters = 1000): Promise<OfficeText> => readOffice(bytes, { characters })

const docx = (body: string): Uint8Array =>
  openXml('docx', {
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  })
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (text: string, style = ''): string => `<w:p>${style}${run(text)}</w:p>`
const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`

const replaced = (file: Uint8Array, name: string, from: string, to: string): Uint8Array => {
  const parts = unzipSync(file)
  const text = new TextDecoder().decode(parts[name])
  assert.ok(text.includes(from))
  return zipSync({ ...parts, [name]: strToU8(text.replace(from, to)) })
}

test('a workbook is its sheets with their values, and dates are dates', async () => {
  const office = await read(
    xlsx(
      [
        ['name', 'since'],
        ['ann', 46_000],
      ],
      [['second sheet']],
    ),
  )
  assert.ok(office.is === 'workbook')
  assert.deepEqual(
    office.sheets.map(({ name }) => name),
    ['List 1', 'List 2'],
  )
  assert.deepEqual(office.sheets[0]?.rows, [
    ['name', 'since'],
    ['ann', new Date('2025-12-09T00:00:00.000Z')],
  ])
})

test('a document is its paragraphs and tables, in order', async () => {
  const heading = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
  const table = `<w:tbl><w:tr>${cell('user')}${cell('role')}</w:tr><w:tr>${cell('ann')}<w:tc><w:tbl><w:tr>${cell('owner')}${cell('since May')}</w:tr></w:tbl><w:p/></w:tc></w:tr></w:tbl>`
  const office = await read(
    docx(
      `${paragraph('Review', heading)}<w:p>${run('one ')}${run('&lt;two&gt;')}<w:r><w:br/></w:r></w:p>${table}`,
    ),
  )
  assert.deepEqual(office, {
    is: 'document',
    blocks: [
      { is: 'text', text: 'Review', isHeading: true },
      { is: 'text', text: 'one <two>\n', isHeading: false },
      {
        is: 'table',
        rows: [
          ['user', 'role'],
          ['ann', 'owner\nsince May\n'],
        ],
      },
    ],
    isCut: false,
  })
})

test('deleted text, field instructions and second forms of a text are not part of a document', async () => {
  const office = await read(
    docx(
      `<w:p><w:del><w:r><w:t>gone</w:t><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>DDEAUTO cmd</w:instrText></w:r><mc:AlternateContent><mc:Choice>${run('once')}</mc:Choice><mc:Fallback>${run('twice')}</mc:Fallback></mc:AlternateContent></w:p>`,
    ),
  )
  assert.deepEqual(office.is === 'document' && office.blocks, [
    { is: 'text', text: 'once', isHeading: false },
  ])
})

test('a long document is cut, and says so', async () => {
  const office = await read(docx(paragraph('abc') + paragraph('defgh') + paragraph('ij')), 5)
  assert.ok(office.is === 'document' && office.isCut)
  assert.deepEqual(
    office.blocks.map((block) => block.is === 'text' && block.text),
    ['abc', 'de'],
  )
})

test('a file that unpacks to more than 32 MB, or has cells in every corner, is too large', async () => {
  const bomb = docx(paragraph('x'.repeat(40 * 1024 * 1024)))
  assert.ok(bomb.length < 200_000)
  assert.equal((await read(bomb)).is, 'large')
  const sparse = replaced(xlsx([['a', 'b'], ['c']]), 'xl/worksheets/sheet1.xml', 'r="A2"', 'r="XFD1048576"')
  assert.equal((await read(sparse)).is, 'large')
  const hidden = replaced(xlsx([['a']]), 'xl/worksheets/sheet1.xml', 'r="A1"', 'r="&#88;FD1"')
  assert.equal((await read(hidden)).is, 'damaged')
})

test('entities are not expanded, and what is damaged or no Office file is not read', async () => {
  const entities = openXml('docx', {
    'word/document.xml':
      '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><w:document><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>',
  })
  assert.deepEqual(await read(entities), { is: 'damaged' })
  assert.deepEqual(await read(docx('<w:p>')), { is: 'damaged' })
  assert.deepEqual(await read(docx('').subarray(0, 100)), { is: 'damaged' })
  assert.deepEqual(await read(new TextEncoder().encode('PK no archive')), { is: 'damaged' })
  assert.deepEqual(await read(zipOf({ 'a.xml': '<a/>' })), { is: 'damaged' })
  assert.deepEqual(await read(openXml('pptx')), { is: 'other' })
})
