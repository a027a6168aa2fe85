import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Contents,
  deflated,
  openXml,
  openXmlParts,
  stored,
  zipOf,
  zipOfEntries,
} from '../test/evidence-samples.ts'
import { codes, examine, noticed } from '../test/examine.ts'

const all = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))
const found = async (files: Contents): Promise<readonly string[]> => codes(await examine(files))

/** Like .NET: the type of the first part with an extension becomes the default for the extension. */
function typedByEnding(type: 'docx' | 'xlsx' | 'pptx'): Contents {
  const types = openXmlParts(type)['[Content_Types].xml'] as string
  return {
    '[Content_Types].xml': types.replace(/<Override PartName="[^"]*"/, '<Default Extension="xml"'),
  }
}

test('an Office file may declare its main part by extension, or in another case', async () => {
  const vba = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject'
  const relations = `<Relationships><Relationship Id="a" Type="${vba}" Target="x.bin"/></Relationships>`
  const { 'word/document.xml': main = '', ...others } = openXmlParts('docx')
  assert.deepEqual(
    await found({
      'a.docx': openXml('docx', typedByEnding('docx')),
      'b.xlsx': openXml('xlsx', typedByEnding('xlsx')),
      'c.pptx': openXml('pptx', typedByEnding('pptx')),
      'd.docx': zipOfEntries(
        ...Object.entries({ ...others, 'Word/Document.xml': main }).map(([name, content]) =>
          deflated(name, content),
        ),
      ),
      'macros.docx': openXml('docx', {
        ...typedByEnding('docx'),
        'word/_rels/document.xml.rels': relations,
        'word/x.bin': 'x',
      }),
    }),
    ['macros macros.docx/word/_rels/document.xml.rels'],
  )
})

test('an OpenDocument file is accepted if mimetype is not its first entry', async () => {
  const mimetype = stored('mimetype', 'application/vnd.oasis.opendocument.spreadsheet')
  const parts = ['META-INF/manifest.xml', 'content.xml'].map((name) => deflated(name, '<a/>'))
  const macro = deflated('Basic/Standard/Module1.xml', '<a/>')
  assert.deepEqual(
    await found({
      'a.ods': zipOfEntries(...parts, mimetype),
      'b.ods': zipOfEntries(...parts, macro, mimetype),
    }),
    ['macros b.ods'],
  )
})

test('numbers, dates and words after the last dot are not an extension', async () => {
  const text = 'Nov 15 10:00:00 host sshd[1]: session opened\n'
  assert.deepEqual(
    await all({
      'syslog.1': text,
      'access.log.2026-11-01': text,
      'access.log-20261101': text,
      'Minutes v1.2': text,
      'Statement of Mr. Smith': text,
      'export.2026-11': zipOfEntries(deflated('a.csv', 'a,b\n')),
      'notes.exe 1': text,
      'b.conf': text,
      'c.1.exe': text,
      'd.7z': text,
      'f/.bat': text,
      'g.settingcontent-ms': text,
      'h.txt.{3050F4D8-98B5-11CF-BB82-00AA00BDCE0B}': text,
    }),
    [
      'danger executable_content c.1.exe',
      'danger executable_content h.txt.{3050F4D8-98B5-11CF-BB82-00AA00BDCE0B}',
      'notice type_mismatch d.7z',
      'notice script_content g.settingcontent-ms',
    ],
  )
})

test('a table of any form is accepted, also one that is cut off', async () => {
  const { findings: blockers, classificationReport } = await examine({
    'a.csv': '\ufeff"x,""",b\r\n1,2\r\n',
    'b.csv': 'a,b\r"x, ""q""",2\r"x,""",3\r',
    'c.csv': '\ufeff"a","b,c"\r\n"1","2"\r\n',
    'd.csv': 'a,b\r"never ends,2\r',
  })
  assert.deepEqual(
    blockers.map(({ path, message }) => `${path}: ${message}`),
    [],
  )
  assert.doesNotMatch(JSON.stringify(classificationReport), /rows have/)
})

test('text may contain the control characters of terminal logs; others and NUL are a notice', async () => {
  assert.deepEqual(
    await all({
      'terminal.log': '\u001b[1mbold\u001b[m\u000f and \u000elqqk\u000f\u0007\n',
      'session.log': '^C\u0003\nlogout\u0004\n',
      'fix.log': '8=FIX.4.2\u00019=12\u000110=001\u0001\n',
      'fields.txt': 'a\u001cb\u001dc\u001ed\u001fe\n',
      'hole.log': 'a\0\0\0b\n',
      'other.txt': 'a\u0002b\u0010\n',
      'syslog.1': `a\0\0b\n${'line\n'.repeat(100)}`,
      'noise.txt': Uint8Array.from({ length: 1000 }, (_, index) => (index * 37) % 256),
    }),
    [
      'notice control_characters hole.log',
      'notice type_mismatch noise.txt',
      'notice control_characters other.txt',
      'notice control_characters syslog.1',
    ],
  )
})

test('any HTML fragment is HTML, also in UTF-16 of either byte order', async () => {
  const wide = Buffer.from('\ufeff<html><p>a', 'utf16le')
  assert.deepEqual(
    await all({
      'a.html': '<ul><li>a</ul>',
      'b.html': `<style>${'a{}'.repeat(5000)}</style><p>b`,
      'c.htm': 'see <a href="x">y</a>',
      'd.html': '<section>a',
      'e.html': '<b>bold</b>',
      'f.html': Buffer.from(wide).swap16(),
      'g.html': wide,
      'h.html': 'a < b and c > d',
    }),
    ['notice type_mismatch h.html'],
  )
})

test('an archive with "./" before all names is accepted; traversal and collisions in such names are found', async () => {
  const packed = zipOf({ './': '', './sub/': '', './a.csv': 'a,b\n', './sub/b.txt': 'b', './._a.csv': '\0' })
  const { blockers, files } = await examine({ 'e.zip': packed })
  assert.deepEqual(blockers, [])
  assert.deepEqual(
    files.map(({ path }) => path),
    ['data/a.csv', 'data/sub/b.txt'],
  )
  const twins = zipOf({ './a.csv': 'a\n', 'a.csv': 'b\n' })
  assert.deepEqual(await found({ 'e.zip': twins }), ['name_collision e.zip/a.csv'])
  assert.deepEqual(await found({ 'e.zip': zipOf({ 'x.zip': packed, 'y.zip': twins }) }), [
    'name_collision e.zip/y.zip',
  ])
  const hostile = zipOf({ './../a.txt': 'a', './/b.txt': 'b', '././c.txt': 'c', './/': '' })
  assert.deepEqual(await found({ 'e.zip': hostile }), [
    'name_traversal e.zip/./../a.txt',
    'name_forbidden e.zip/././c.txt',
    'name_forbidden e.zip/.//',
    'name_absolute e.zip/.//b.txt',
  ])
})

test('Windows system files are left out, ignoring case', async () => {
  const systemFiles = { 'a/Desktop.ini': 'x', 'a/thumbs.db': 'x', 'a/ehthumbs.db': '\0', 'a/THUMBS.DB': '\0' }
  assert.deepEqual(await found({ 'e.zip': zipOf({ ...systemFiles, 'a/a.txt': 'a' }) }), [])
})

test('messages name the problem and what to do', async () => {
  const bzip2 = Buffer.from('BZh91AY&SY\u0001\u0002\0', 'latin1')
  const method = deflated('report.csv', 'a,b\n')
  const types = (openXmlParts('xlsx')['[Content_Types].xml'] as string).replace(
    'openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
    'ms-excel.sheet.binary.macroEnabled.main',
  )
  const binary = 'application/vnd.ms-excel.sheet.binary.macroEnabled.main'
  const { findings } = await examine({
    'a.sarif': '{"version": "2.1.0", "runs": []}',
    'b.nessus': '\ufeff<?xml version="1.0"?>\n<a/>',
    'c.conf': 'a = b',
    'd.log.bz2': bzip2,
    'e.psd': Buffer.from('8BPS\0\u0001\0\0', 'latin1'),
    'f.json': '{"a":1}\n{"a":2}\n',
    'g.json': Buffer.from('\ufeff{}', 'utf16le'),
    'h.json': Buffer.from('"\xfc"', 'latin1'),
    'i.xml': '<?xml version="1.0" encoding="utf-16"?><a/>',
    'j.zip': zipOfEntries({ ...method, header: { ...method.header, method: 12 } }),
    'k.xlsb': openXml('xlsx', { '[Content_Types].xml': types }),
    'm.xlsm': openXml('xlsx', {
      '[Content_Types].xml': types
        .replace('binary.', '')
        .replace('</Types>', `<Default Extension="bin" ContentType="${binary}"/></Types>`),
      'xl/vbaProject.bin': 'x',
    }),
    'n.zip': zipOfEntries({ ...method, header: { ...method.header, flags: 1 } }),
    'l.rtf': '{\\rtf1 a}',
    'o.xml': `${'<a>'.repeat(1001)}${'</a>'.repeat(1001)}`,
    'p.zip': Buffer.concat([Buffer.from('PK\x07\x08'), zipOf({ 'a.txt': 'text' })]),
    'q.csv': 'PK00,role\n',
  })
  assert.deepEqual(
    findings.map(({ path, code, message }) => `${path} ${code}: ${message.replace(/^[^.]*\. /, '')}`),
    [
      'j.zip/report.csv archive_method: It uses compression method 12.',
      'm.xlsm macros: They are in xl/vbaProject.bin.',
      'n.zip/report.csv encrypted_archive: This file in the archive is encrypted.',
      'p.zip unreadable_archive: It is split into parts.',
      'd.log.bz2 unsupported_type: It is a bzip2 file.',
      'e.psd unsupported_type: It is a Photoshop image.',
      'm.xlsm type_mismatch: The extension is .xlsm, but the content is a binary Excel workbook.',
    ],
  )
})

test('text that starts with the signature letters of a program is accepted', async () => {
  assert.deepEqual(await found({ 'a.txt': 'MZ für das Büro\n', 'b.txt': 'ITSF minutes\n' }), [])
})

test('a message with a very long header, or spaces before colons, is accepted', async () => {
  const trace = `X-Trace: ${'v'.repeat(70)}\r\n`.repeat(200)
  assert.deepEqual(
    await all({
      'a.eml': `${trace}From: a@example.com\r\nTo: b@example.com\r\n\r\nText\r\n`,
      'b.eml': 'From : a@example.com\r\nTo : b@example.com\r\n\r\nText\r\n',
      'c.eml': `${'a'.repeat(20_000)}\r\n\r\nText\r\n`,
      'd.eml': 'X-Trace: a\r\n\r\nText\r\n',
    }),
    [],
  )
})

test('a type is named in plain words, and a shared extension does not name a wrong one', async () => {
  const { findings } = await examine({
    'a.xz': Buffer.from('fd377a585a000004', 'hex'),
    'a.mp3': Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x0a', 'latin1'), Buffer.alloc(500, 0xf1)]),
    'a.rar': Buffer.concat([Buffer.from('526172211a070100', 'hex'), Buffer.alloc(100, 0xf1)]),
    'a.dat': Buffer.alloc(1000, '\x02\x81', 'latin1'),
    'a.crt': Buffer.concat([Buffer.from('308202a1', 'hex'), Buffer.alloc(1000, '\x02\x81', 'latin1')]),
    'a.stl': 'solid x\nendsolid x\n',
  })
  assert.deepEqual(
    findings.map(({ path, message }) => `${path}: ${message.replace(/^.*examined\. /, '')}`),
    [
      'a.crt: By its name it is a certificate or revocation list (DER).',
      'a.dat: By its name it is binary data.',
      'a.mp3: It is MP3 audio.',
      'a.rar: It is a RAR archive.',
      'a.xz: It is an xz file.',
    ],
  )
})
