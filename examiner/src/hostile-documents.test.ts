import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { CODE, compound, vbaBin, vbaProject } from '../test/compound-samples.ts'
import {
  compoundFile,
  type Contents,
  openDocument,
  openXml,
  openXmlParts,
  pdf,
  stored,
  zipOf,
  zipOfEntries,
} from '../test/evidence-samples.ts'
import { codes, examine } from '../test/examine.ts'
import { eicarString } from './search/find-bytes.ts'
import { DEFAULT_LIMITS, type EvidenceLimits } from './limits.ts'

async function found(files: Contents, limits: Partial<EvidenceLimits> = {}): Promise<readonly string[]> {
  return codes(await examine(files, { limits: { ...DEFAULT_LIMITS, ...limits } }))
}

const EXE = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)])
const docxWith = (name: string, content: Uint8Array): Uint8Array =>
  openXml('docx', { [`word/embeddings/${name}`]: content })
const nest = (levels: number): Uint8Array =>
  levels === 0 ? zipOf({ 'a.txt': 'x' }) : zipOf({ 'n.zip': nest(levels - 1) })
const noise = (count: number): string =>
  Array.from({ length: count }, (_, index) => (index * 2654435761) % 4294967296).join('\n')

test('a document with an embedded workbook, drawing or archive is accepted', async () => {
  const visio = zipOf({
    '[Content_Types].xml':
      '<Types><Override PartName="/visio/document.xml" ContentType="application/vnd.ms-visio.drawing.main+xml"/></Types>',
    'visio/document.xml': '<x/>',
  })
  const files = {
    'a.docx': docxWith('Microsoft_Excel_Worksheet.xlsx', openXml('xlsx')),
    'b.pptx': openXml('pptx', {
      'ppt/embeddings/d.vsdx': visio,
      'ppt/embeddings/o.bin': compoundFile('Book'),
    }),
    'c.odt': openDocument('text', { 'x.zip': zipOf({ 'a.pdf': pdf() }) }),
    'd.docx': docxWith('o.docx', docxWith('p.docx', openXml('docx'))),
    'e.docx': docxWith('large.xlsx', openXml('xlsx', { 'xl/big.xml': `<a>${noise(200_000)}</a>` })),
  }
  assert.deepEqual(await found(files), [])
  const { 'c.odt': _, ...documents } = files
  assert.deepEqual(await found({ 'e.zip': zipOf({ 'n.zip': zipOf({ 'm.zip': zipOf(documents) }) }) }), [])
})

test('archives and documents inside a document are examined', async () => {
  const macros = openXml('docx', { 'word/vbaProject.bin': 'x' })
  assert.deepEqual(
    await found({
      'a.docx': docxWith('o.zip', zipOf({ 'run.exe': EXE, 'e.txt': eicarString(), '../up.txt': 'x' })),
      'b.docx': docxWith('o.docx', macros),
      'c.docx': docxWith('o.docx', openXml('docx', { 'x.dat': EXE })),
      'd.odt': openDocument('text', { 'x.zip': zipOf({ 'e.txt': eicarString() }) }),
      'e.docx': docxWith('o.zip', zipOf({ 'm.docx': macros, 'n.txt': noise(200_000) })),
      'f.docx': docxWith('o.zip', zipOf({ 'a.txt': 'x' }).subarray(0, -3)),
      'g.docx': docxWith('old.doc', compound({ WordDocument: 'x', Macros: vbaProject({ M: CODE }) })),
    }),
    [
      'name_traversal a.docx/word/embeddings/o.zip/../up.txt',
      'test_virus a.docx/word/embeddings/o.zip/e.txt',
      'executable_content a.docx/word/embeddings/o.zip/run.exe',
      'macros b.docx/word/embeddings/o.docx',
      'executable_content c.docx/word/embeddings/o.docx/x.dat',
      'test_virus d.odt/x.zip/e.txt',
      'macros e.docx/word/embeddings/o.zip/m.docx',
      'unreadable_archive f.docx/word/embeddings/o.zip',
      'macros g.docx/word/embeddings/old.doc',
    ],
  )
})

test('archives and documents in a document may be nested two levels deep', async () => {
  assert.deepEqual(await found({ 'a.docx': docxWith('o.zip', nest(1)) }), [])
  assert.deepEqual(await found({ 'a.docx': docxWith('o.zip', nest(5)) }), [
    'nested_too_deep a.docx/word/embeddings/o.zip/n.zip/n.zip',
  ])
  const inZip = zipOf({ 'i.zip': zipOf({ 'a.docx': docxWith('o.zip', nest(0)) }) })
  assert.deepEqual(await found({ 'e.zip': inZip }), [
    'nested_too_deep e.zip/i.zip/a.docx/word/embeddings/o.zip',
  ])
  let chain = openXml('docx')
  for (let level = 0; level < 5; level++) chain = docxWith('o.docx', chain)
  const inside = '/word/embeddings/o.docx'
  assert.deepEqual(await found({ 'a.docx': chain }), [`nested_too_deep a.docx${inside.repeat(3)}`])
})

test('a zip bomb in a document is rejected by its directory', async () => {
  const big = deflateRawSync(Buffer.alloc(64 * 1024 * 1024))
  const entry = stored('a.txt', '')
  const header = { ...entry.header, method: 8, compressedBytes: big.length, sizeBytes: 64 * 1024 * 1024 }
  const bomb = zipOfEntries({ ...entry, data: big, header })
  assert.deepEqual(await found({ 'a.docx': docxWith('o.zip', bomb) }), [
    'archive_ratio a.docx/word/embeddings/o.zip',
  ])
  // Each of these is below the limit, but not all of them together.
  const inner = openXml('docx', { 'x.xml': ' '.repeat(2_000_000), 'y.txt': noise(4000) })
  const outer = zipOf(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.docx`, inner])))
  const together = await found({ 'a.docx': docxWith('o.zip', outer) }, { ratio: 100 })
  assert.equal(together.at(-1), 'archive_ratio a.docx/word/embeddings/o.zip/8.docx')
  assert.ok(together.length < 9 && together.every((one) => one.startsWith('archive_ratio')))
  assert.deepEqual(await found({ 'a.docx': docxWith('o.zip', outer) }, { entries: 8 }), [
    'too_many_entries a.docx/word/embeddings/o.zip',
  ])
})

const related = (target: string, type = 'vbaProject'): string =>
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" ' +
  `Type="http://schemas.microsoft.com/office/2006/relationships/${type}" Target="${target}"/></Relationships>`

const types = (type: 'docx' | 'xlsx', more: string): Contents => ({
  '[Content_Types].xml': (openXmlParts(type)['[Content_Types].xml'] as string).replace(
    '<Override',
    `${more}<Override`,
  ),
})

test('macros are found by content type, relationship and content, whatever the name of the part', async () => {
  const vba = 'application/vnd.ms-office.vbaProject'
  assert.deepEqual(
    await found({
      'a.docx': openXml('docx', {
        ...types('docx', `<Default Extension="BIN" ContentType="${vba}"/>`),
        'word/x.bin': vbaBin(),
      }),
      'b.xlsx': openXml('xlsx', {
        ...types('xlsx', `<Override PartName="/xl/x.dat" ContentType="${vba}"/>`),
        'xl/x.dat': 'x',
      }),
      'c.xlsx': openXml('xlsx', { 'xl/x.bin': 'x', 'xl/_rels/workbook.xml.rels': related('x.bin') }),
      'd.docx': openXml('docx', {
        'word/x.bin': 'x',
        'word/_RELS/document.xml.rels': related('x.bin', '&#118;baProject'),
      }),
      'e.docx': openXml('docx', { 'word/media/image1.png': vbaBin() }),
      'f.docx': openXml('docx', {
        'word/_rels/document.xml.rels': `${related('x.bin')}${' '.repeat(1_100_000)}${noise(9000)}`,
      }),
    }),
    [
      'macros a.docx/word/x.bin',
      'macros b.xlsx',
      'macros c.xlsx/xl/_rels/workbook.xml.rels',
      'macros d.docx/word/_RELS/document.xml.rels',
      'macros e.docx/word/media/image1.png',
      'macros f.docx/word/_rels/document.xml.rels',
    ],
  )
  // An unused default, as programs leave behind.
  const unused = `<Default Extension="bin" ContentType="${vba}"/><Override PartName="/xl/p.bin" ContentType="application/x"/>`
  const links = related('styles.xml', 'styles')
  assert.deepEqual(
    await found({
      'a.xlsx': openXml('xlsx', {
        ...types('xlsx', unused),
        'xl/p.bin': 'x',
        'xl/_rels/workbook.xml.rels': links,
      }),
    }),
    [],
  )
})

test('the EICAR string is found in UTF-16, too', async () => {
  const little = Buffer.concat([Buffer.from('\ufeffsome text ', 'utf16le'), eicarString('utf-16le')])
  const big = Buffer.from(Buffer.from(little)).swap16()
  assert.deepEqual(
    await found({ 'a.txt': little, 'b.txt': big, 'c.txt': Buffer.from('\ufeffEICAR', 'utf16le') }),
    ['test_virus a.txt', 'test_virus b.txt'],
  )
})
