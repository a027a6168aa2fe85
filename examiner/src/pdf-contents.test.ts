import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { type Contents, openXml, zipOf } from '../test/evidence-samples.ts'
import { codes, examine, noticed } from '../test/examine.ts'
import { withObject } from '../test/pdf-samples.ts'
import { eicarString } from './detect/find-bytes.ts'
import { memorySource } from './platform/sources.ts'
import { decodePdfStream } from './structures/pdf-filters.ts'
import type { PdfObject } from './structures/pdf-object.ts'
import { readPdfObjects } from './structures/pdf-objects.ts'

const found = async (files: Contents): Promise<readonly string[]> => codes(await examine(files))

const PROGRAM = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(100_000, 'program')])

test('a program or the EICAR string attached to a PDF is found, compressed or not', async () => {
  const packed = '/Filter/FlateDecode'
  assert.deepEqual(
    await found({
      'a.pdf': withObject('/Type/EmbeddedFile', PROGRAM),
      'b.pdf': withObject(`/Type /EmbeddedFile ${packed} /Params <</Size 9>>`, deflateSync(PROGRAM)),
      'c.pdf': withObject(`${packed}/Subtype/application#2Fx/Type/EmbeddedFile`, deflateSync(PROGRAM)),
      'd.pdf': withObject(`/Type/EmbeddedFile${packed}`, deflateSync(eicarString())),
    }),
    [
      'executable_content a.pdf/attachment 1',
      'executable_content b.pdf/attachment 1',
      'executable_content c.pdf/attachment 1',
      'test_virus d.pdf/attachment 1',
    ],
  )
})

test('other attachments are accepted, also damaged ones and ten thousand of them', async () => {
  const many = Buffer.alloc(300_000, '/EmbeddedFile stream\n')
  assert.deepEqual(
    await found({
      'a.pdf': withObject('/Type/EmbeddedFile/Filter/FlateDecode', deflateSync('<invoice/>')),
      'b.pdf': withObject('/Type/EmbeddedFile/Filter/FlateDecode', PROGRAM),
      'c.pdf': withObject('/Type/EmbeddedFile/Filter/FlateDecode', Buffer.alloc(0)),
      'd.pdf': withObject('/Names<</EmbeddedFiles 8 0 R>>', PROGRAM),
      'e.pdf': withObject('/Length 9', many),
    }),
    [],
  )
})

test('documents that are attached as they are do not count as appended, and archives are examined', async () => {
  const embedded = '/Type/EmbeddedFile'
  assert.deepEqual(
    noticed(
      await examine({
        'a.pdf': withObject(embedded, openXml('docx')),
        'b.pdf': withObject(embedded, zipOf({ 'x/y.txt': PROGRAM })),
      }),
    ),
    ['danger executable_content b.pdf/attachment 1/x/y.txt'],
  )
})

const objectStream = (text: string, filter = '/FlateDecode', encode = (bytes: Buffer) => bytes): Uint8Array =>
  withObject(`/Type/ObjStm/N 1/First 4/Filter[${filter}]`, encode(deflateSync(`7 0 ${text}`)))

test('a PDF that starts a program is a danger, one with scripts or links to files has a notice', async () => {
  const launch = '/Type/Action/S/Launch'
  const files: Contents = {
    'a.pdf': withObject(`${launch}/Win<</F(cmd.exe)/P(/c calc)>>`),
    'b.pdf': withObject('/S/#4cau#6Ech/F(C:\\\\Windows\\\\calc.exe)'),
    'c.pdf': objectStream(`<<${launch}/F<</Type/Filespec/F<616263 2e6578 65>>>>>`),
    'd.pdf': objectStream(`<<${launch}/F(run.ps1)>>`, '/ASCIIHexDecode/FlateDecode', (bytes) =>
      Buffer.from(`${bytes.toString('hex')}>`),
    ),
    'e.pdf': withObject(
      '/S 10 0 R/F 11 0 R',
      undefined,
      '10 0 obj/Launch endobj\n11 0 obj<</F(x.bat)>>endobj\n',
    ),
    'f.pdf': withObject('/Title(9 0 obj<</S/Launch/F\\(x.vbs\\)>>endobj)'),
    'k.pdf': withObject(`${launch}/F(annex.pdf)`),
    'l.pdf': withObject('/S % comment\n/JavaScript/JS(app.alert\\(1\\))'),
    'm.pdf': objectStream('<</S/Java#53cript/JS 5 0 R>>'),
    'n.pdf': withObject(`${launch}/F(www.example.com)`),
  }
  assert.deepEqual(noticed(await examine(files)), [
    ...['a', 'b', 'c', 'd', 'e'].map((name) => `danger embedded_object ${name}.pdf`),
    ...['f', 'k', 'l', 'm', 'n'].map((name) => `notice active_content ${name}.pdf`),
  ])
})

test('words that only look like actions are no finding', async () => {
  assert.deepEqual(
    noticed(
      await examine({
        'a.pdf': withObject('/URI(https://example.com/Web/JavaScript)/Title(/S /Launch)'),
        'b.pdf': withObject('/Length 40', Buffer.from('BT (/S/JavaScript obj) Tj ET /S/Launch')),
        'c.pdf': withObject('/Dests<</JavaScript 5 0 R/Launch[3 0 R/Fit]>>/F(setup.exe)'),
        'd.pdf': objectStream('<</S/D/P(A-)>>'),
      }),
    ),
    [],
  )
})

test('attached programs are found in any encoding, and by reference', async () => {
  const twice = '/Filter[/ASCII85Decode/RunLengthDecode]'
  const run = Buffer.concat([Buffer.of(7), PROGRAM.subarray(0, 8), Buffer.of(129, 65, 128)])
  const reference = '8 0 obj<</Type/Filespec/F(notes.txt)/EF<</F 9 0 R>>>>endobj\n'
  const named = '8 0 obj<</Type/Filespec/F(a.scr)/EF<</F 9 0 R>>>>endobj\n'
  assert.deepEqual(
    await found({
      'a.pdf': withObject('/Type/#45mbeddedFile/Filter[/Fl]', deflateSync(PROGRAM)),
      'b.pdf': withObject(`/Type/EmbeddedFile${twice}`, Buffer.from(ascii85(run))),
      'c.pdf': withObject('/Length 9', PROGRAM, reference),
      'd.pdf': withObject(
        '/Filter 10 0 R',
        deflateSync(PROGRAM),
        `${reference}10 0 obj[/FlateDecode]endobj\n`,
      ),
      'e.pdf': withObject('/Length 4', Buffer.from('text'), reference),
      'f.pdf': withObject('/Length 4', Buffer.from('text'), named),
    }),
    [
      'executable_content a.pdf/attachment 1',
      'executable_content b.pdf/attachment 1',
      'executable_content c.pdf/notes.txt',
      'executable_content d.pdf/notes.txt',
      'executable_content f.pdf',
      'executable_content f.pdf/a.scr',
    ],
  )
})

function ascii85(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const part = [...bytes.subarray(at, at + 4)]
    let value = [0, 1, 2, 3].reduce((sum, index) => sum * 256 + (part[index] ?? 0), 0)
    let digits = ''
    for (let digit = 0; digit < 5; digit++) {
      digits = String.fromCharCode(33 + (value % 85)) + digits
      value = Math.floor(value / 85)
    }
    text += digits.slice(0, part.length + 1)
  }
  return `${text}~>`
}

const chain = (count: number): string => `/Filter[${'/FlateDecode'.repeat(count)}]`

test('streams that are compressed several times are a danger if they are bombs', async () => {
  const zeros = Buffer.alloc(64 * 1024 * 1024)
  const twice = deflateSync(deflateSync(zeros))
  assert.deepEqual(
    await found({
      'a.pdf': withObject(chain(2), twice),
      'b.pdf': withObject('/Filter 10 0 R', twice, '10 0 obj[/Fl/Fl]endobj\n'),
      'c.pdf': withObject(chain(9), twice),
      'd.pdf': withObject('/N 1/First 1/Filter/FlateDecode', deflateSync(zeros)),
      'e.pdf': withObject(chain(2), deflateSync(deflateSync('a page'))),
      'f.pdf': withObject(chain(1), deflateSync(zeros)),
    }),
    ['archive_ratio a.pdf', 'archive_ratio b.pdf', 'nested_too_deep c.pdf', 'archive_ratio d.pdf'],
  )
})

test('objects are found wherever a chunk ends, and overlapping ones in bounded time', async () => {
  const content = Buffer.from(
    `1 0 obj<</S/Launch>>endobj ${' '.repeat(1_048_520)}22 0 obj <</A(x)/S /JavaScript>> endobj`,
  )
  for (let cut = 0; cut < 70; cut++) {
    const objects: PdfObject[] = []
    await readPdfObjects(memorySource(content.subarray(cut)), (object) => objects.push(object))
    assert.ok(
      objects.some(({ hasScript, number }) => hasScript && number === 22),
      `${cut}`,
    )
  }
  for (const [megabytes, isRead] of [
    [3, true],
    [9, false],
  ] as const) {
    const padded = Buffer.from(`1 0 obj<<${' '.repeat(megabytes * 1_048_576)}/S/Launch>>endobj`)
    let launches = false
    const isComplete = await readPdfObjects(memorySource(padded), (object) => (launches ||= object.launches))
    assert.deepEqual([isComplete, launches], [isRead, isRead])
  }
  const nested = Buffer.alloc(1_000_000, '0 obj(')
  assert.equal(await readPdfObjects(memorySource(nested), () => undefined), false)
})

const decode = (raw: Uint8Array, ...names: string[]): string =>
  Buffer.concat([...decodePdfStream(raw, { names })]).toString()

test('filters decode what was encoded, up to where it is damaged', () => {
  const text = Buffer.from('kitseal '.repeat(9000))
  for (const level of [0, 1, 9])
    assert.equal(decode(deflateSync(text, { level }), 'FlateDecode'), text.toString())
  const damaged = deflateSync(text)
  assert.ok(decode(damaged.subarray(0, -40), 'Fl').startsWith('kitseal kitseal'))
  assert.equal(decode(Buffer.from('800B6050220C0C8501', 'hex'), 'LZWDecode'), '-----A---B')
  assert.equal(decode(Buffer.from('6b 69 7>'), 'AHx'), 'kip')
  assert.equal(decode(Buffer.from(ascii85(text)), 'A85'), text.toString())
  const rows = deflateSync(Buffer.from([2, 65, 1, 2, 1, 1, 1, 66, 1]))
  const decoded = [...decodePdfStream(rows, { names: ['Fl'], rowBytes: 2 })]
  assert.equal(Buffer.concat(decoded).toString('latin1'), 'A\x01B\x02BC')
})

test('a PDF that readers have to repair is examined like any other, so accepting the damage accepts no danger', async () => {
  const pdf = Buffer.from(withObject('/Type/EmbeddedFile', PROGRAM)).toString('latin1')
  const cut = pdf.slice(0, pdf.lastIndexOf('startxref'))
  const files = {
    'no-end.pdf': Buffer.from(cut, 'latin1'),
    'no-table.pdf': Buffer.from(`${cut}%%EOF\n`, 'latin1'),
  }
  assert.deepEqual(codes(await examine(files, { accept: ['malformed_pdf'] })), [
    'executable_content no-end.pdf/attachment 1',
    'executable_content no-table.pdf/attachment 1',
  ])
})
