// Own process: it measures processor time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { type Contents, openXml, zipOf } from '../test/evidence-samples.ts'
import { examine } from '../test/examine.ts'
import { withObject } from '../test/pdf-samples.ts'

// What is repeated in a file must cost as much each time: a fragment that makes a search start again and again would cost
// the square of its number.

const MAIL = 'From: a@b.c\nTo: d@e.f\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n'

/** A name, and how a file of this size is made of one fragment. */
const repeated =
  (fragment: string, start = '') =>
  (sizeBytes: number): string =>
    start + fragment.repeat(Math.ceil(sizeBytes / fragment.length))

const FRAGMENTS: Readonly<Record<string, (sizeBytes: number) => string | Uint8Array>> = {
  'meta.html': repeated('<meta http-equiv=refresh '),
  'tags.html': repeated('<a '),
  'quotes.html': repeated('<a onx="\'" '),
  'handlers.html': repeated(' onclick=x'),
  'schemes.html': repeated('="j\t\n'),
  'comments.html': repeated('<!---->'),
  'comments.txt': repeated('<!---->'),
  'batch.txt': repeated('rem   \n'),
  'links.txt': repeated('data:x;base64,'),
  'keys.txt': repeated('-----BEGIN PRIVATE KEY-----'),
  'headers.txt': repeated('aaa: bbb: ', '-----BEGIN PRIVATE KEY-----\n'),
  'tokens.txt': repeated(' eyJaaaaaaaaaaaaaaaaaaaa.'),
  'addresses.txt': repeated('://a:'),
  'settings.env': repeated(';password=aaaaaaaaaaaaa'),
  'programs.txt': repeated('TVqQAAMA'),
  'formulas.csv': repeated('=hyperlink('),
  'bars.csv': repeated('=a|'),
  'entities.xml': repeated('&a;', '<!DOCTYPE a [<!ENTITY a "b">]><a>'),
  'declared.xml': repeated('<!ENTITY a "b">', '<!DOCTYPE a ['),
  'names.xml': repeated('<x:fldChar ', '<a xmlns="urn:schemas-microsoft-com:office">'),
  'brackets.md': repeated('[['),
  'words.eml': repeated('=?utf-8?B?', `${MAIL}--b\nContent-Type: a/b; name="`),
  'boundaries.eml': repeated('--b\n', MAIL),
  'lines.eml': repeated('--', MAIL),
  'parameters.eml': repeated('a', `${MAIL}--b\nContent-Type: `),
  'brackets.eml': repeated('(', `${MAIL}--b\nContent-Type: `),
  'fields.eml': repeated('Content-Type: a/b; name=c\n', MAIL),
  'objects.rtf': repeated('{\\object', '{\\rtf1'),
  'data.rtf': repeated('{\\objdata', '{\\rtf1'),
  'templates.rtf': repeated('\\template', '{\\rtf1'),
  'events.ics': repeated('ATTACH;', 'BEGIN:VCALENDAR\n'),
  'folded.ics': repeated('ATTACH;\n ', 'BEGIN:VCALENDAR\n'),
  'dictionaries.pdf': repeated('<<', '%PDF-1.7\n1 0 obj'),
  'filters.pdf': repeated('/Filter', '%PDF-1.7\n1 0 obj<<'),
  'streams.pdf': repeated('>>stream\n', '%PDF-1.7\n1 0 obj<<'),
  'trailers.pdf': repeated('trailer<<', '%PDF-1.7\n'),
  'files.pdf': repeated('/EF<</F 9 0 R>>/F(a)', '%PDF-1.7\n1 0 obj<<'),
  'comments.pdf': repeated('/S%', '%PDF-1.7\n'),
  'opens.pdf': repeated('/OpenAction 1 0 R', '%PDF-1.7\n'),
  'text.pdf': (sizeBytes) =>
    withObject('/Filter/FlateDecode', deflateSync(repeated('(a')(4 * sizeBytes) + 'Tj')),
  'programs.bin': (sizeBytes) => {
    const header = Buffer.alloc(64)
    header.write('MZ')
    header.writeUInt32LE(15_000_000, 60)
    return Buffer.alloc(sizeBytes, header)
  },
  'ends.png': (sizeBytes) =>
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(sizeBytes, 'PK\x05\x06')]),
  'fields.docx': (sizeBytes) =>
    openXml('docx', {
      'word/document.xml': repeated('<w:instrText>')(sizeBytes),
      'word/settings.xml': repeated('<w:fldChar ')(sizeBytes),
      'word/_rels/a.rels': repeated('<Relationship "')(sizeBytes),
    }),
  'strings.xlsx': (sizeBytes) =>
    openXml('xlsx', {
      'xl/sharedStrings.xml': repeated('<si><t>a</t></si>')(sizeBytes),
      'xl/worksheets/sheet1.xml': repeated('<f>WEBSERVICE(')(sizeBytes),
      'xl/connections.xml': repeated('<webPr ')(sizeBytes),
    }),
}

/** The least of three times, because a busy machine only adds to what the work takes. */
async function cpuSeconds(files: Contents): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 3 && least > 0.1; tries++) {
    const before = process.cpuUsage()
    await examine(files)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1e6)
  }
  return least
}

const [SMALL, LARGE] = [128 * 1024, 512 * 1024]
/** Two seconds for four megabytes. */
const SECONDS_PER_BYTE = 0.5 / (1024 * 1024)
/** What a busy machine adds. */
const BUSY_SECONDS = 0.6

for (const [name, make] of Object.entries(FRAGMENTS))
  test(`the work for ${name} grows with its size`, async () => {
    const [small, large] = [make(SMALL), make(LARGE)]
    await examine({ [name]: make(1024) })
    const first = await cpuSeconds({ [name]: small })
    const second = await cpuSeconds({ [name]: large })
    assert.ok(second < BUSY_SECONDS + SECONDS_PER_BYTE * LARGE, `${second} s for ${LARGE} bytes`)
    // Four times as much: the square of the size would take sixteen times as long.
    assert.ok(second < BUSY_SECONDS + 8 * first, `${first} s, then ${second} s for four times as much`)
  })

test('an archive of pages with a fragment repeated a hundred thousand times takes a second', async () => {
  const page = '<meta http-equiv=refresh '.repeat(40_000)
  const seconds = await cpuSeconds({ 'a.zip': zipOf({ 'a.html': page, 'b.html': page, 'c.html': page }) })
  assert.ok(seconds < 2, `${seconds} s`)
})

test('a message of tiny parts is examined up to a number of parts, and says so', async () => {
  const part = '--b\nContent-Type: a/b; name=c.bin\nContent-Transfer-Encoding: base64\n\nAAAA\n'
  const { findings } = await examine({ 'a.eml': MAIL + part.repeat(30_000) })
  assert.ok(findings.some(({ code }) => code === 'not_examined_in_time'))
})

test('ten workbooks that unpack to a hundred times their size take a second', async () => {
  const book = openXml('xlsx', {
    'xl/sharedStrings.xml': `<sst>${'<si><t>&#65;</t></si>'.repeat(45_000)}`,
    'xl/worksheets/_rels/sheet1.xml.rels': '<Relationship '.repeat(1000),
  })
  const books = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}.xlsx`, book]))
  const seconds = await cpuSeconds({ 'a.zip': zipOf(books) })
  assert.ok(seconds < 2.5, `${seconds} s`)
})
