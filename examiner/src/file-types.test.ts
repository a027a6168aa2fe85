import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CODE, compound, encryptedOffice, vbaBin, vbaProject } from '../test/compound-samples.ts'
import {
  compoundFile,
  type Contents,
  jpeg,
  openDocument,
  openXml,
  openXmlParts,
  pdf,
  pdfWithXrefStream,
  png,
  SOUND_FILES,
  tiff,
  zipOf,
} from '../test/evidence-samples.ts'
import { codes, examine, noticed } from '../test/examine.ts'
import { tempFolder } from '../test/temp-folder.ts'
import { FILE_TYPES } from './file-types.ts'
import { needs } from '../../test/kit/needs.ts'

const folder = tempFolder()

/** `class code path` of each finding. */
async function allFindings(files: Contents): Promise<readonly string[]> {
  const loose = noticed(await examine(files))
  const packed = noticed(await examine({ 'e.zip': zipOf(files) }))
  assert.deepEqual(
    packed.map((line) => line.replace(/ e\.zip\//, ' ')),
    loose,
    'the same findings in an archive and outside of one',
  )
  return loose
}

test('a valid file of each examined type is accepted without a finding, loose and in an archive', async () => {
  assert.deepEqual(await allFindings(SOUND_FILES), [])
})

test('at least 120 types have a name, and every extension is accepted for a text', async () => {
  assert.ok(FILE_TYPES.length >= 120, String(FILE_TYPES.length))
  assert.equal(new Set(FILE_TYPES.map(({ id }) => id)).size, FILE_TYPES.length)
  const endings = [...new Set(FILE_TYPES.flatMap((type) => type.endings)), 'unheard-of']
  const files = Object.fromEntries(endings.map((ending) => [`a.${ending}`, 'text\n']))
  assert.deepEqual(codes(await examine(files)), [])
})

test('binary content of each type is accepted by its signature or its extension, and a notice says that it is not examined', async () => {
  const files = Object.fromEntries(
    FILE_TYPES.filter(({ content, checkStructure }) => content === 'binary' && checkStructure === undefined)
      .flatMap(({ endings }) => endings)
      .map((ending) => [
        `a.${ending}`,
        Uint8Array.from({ length: 600 }, (_, index) => (index * 37 + 5) % 256),
      ]),
  )
  const { blockers, findings } = await examine(files)
  assert.deepEqual(blockers, [])
  assert.equal(findings.filter(({ code }) => code === 'unsupported_type').length, Object.keys(files).length)
})

test('content that does not match the extension is a notice, unless it is damage', async () => {
  const found = await allFindings({
    'a.pdf': 'just text',
    'b.png': jpeg(),
    'c.txt': png(),
    'd.docx': openXml('xlsx'),
    'e.csv': Uint8Array.from({ length: 100 }, (_, index) => (index * 37) % 256),
    'f.html': 'no markup here',
    'g.odt': openDocument('spreadsheet'),
    'h.pdf': zipOf({ 'a.txt': 'a' }),
    'i.json': tiff(),
    'j.pdf': Buffer.from('garbage\0\u0001\u0002\u0005', 'latin1'),
    'k.docx': Buffer.from('garbage\0\u0001\u0002\u0005', 'latin1'),
  })
  assert.deepEqual(found, [
    'damage malformed_pdf j.pdf',
    'damage malformed_office k.docx',
    'notice type_mismatch a.pdf',
    'notice type_mismatch b.png',
    'notice type_mismatch c.txt',
    'notice type_mismatch d.docx',
    'notice type_mismatch e.csv',
    'notice type_mismatch f.html',
    'notice type_mismatch g.odt',
    'notice type_mismatch h.pdf',
    'notice type_mismatch i.json',
  ])
})

test('a type that is not examined is a notice that names the type', async () => {
  const psd = Buffer.from('8BPS\0\x01\0\0', 'latin1')
  const { blockers, findings } = await examine({
    'a.7z': Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), Buffer.alloc(64)]),
    'b.mkv': Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(64)]),
    c: psd,
    'd.weird': Buffer.from([0, 1, 2, 3, 200, 5, 6]),
  })
  assert.deepEqual(blockers, [])
  assert.deepEqual(
    findings.map(({ code, message }) => `${code}: ${message.replace(/^[^.]*\. /, '')}`),
    [
      'unsupported_type: It is a 7-Zip archive.',
      'unsupported_type: It is a Matroska or WebM video.',
      'unsupported_type: It is a Photoshop image.',
      'unsupported_type: Its type is unknown.',
    ],
  )
})

test('an Office file is recognized without its extension; an archive with a file named mimetype stays an archive', async () => {
  assert.deepEqual(noticed(await examine({ 'report.zip': openXml('docx') })), [
    'notice type_mismatch report.zip',
  ])
  const { files } = await examine({ report: openXml('docx'), 'e.zip': zipOf({ mimetype: 'a note\n' }) })
  assert.deepEqual(
    files.map(({ path, type }) => `${path} ${type.mediaType.split('.').at(-1)}`),
    ['data/e/mimetype text/plain', 'data/report document'],
  )
})

test('programs are a danger, by content and by name; scripts and source code are a notice', async () => {
  const exe = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(200)])
  const found = await allFindings({
    'a.exe': exe,
    'b.pdf': exe,
    'c.txt': Buffer.concat([Buffer.from('7f454c460201010000', 'hex'), Buffer.alloc(50)]),
    'd.log': Buffer.from('cffaedfe07000001', 'hex'),
    'e.class': Buffer.from('cafebabe00000034', 'hex'),
    'f.txt': '#!/bin/sh\nrm -rf /\n',
    'g.js': 'alert(1)',
    'h.ps1': 'Get-Item',
    'i.md': Buffer.from('0061736d01000000', 'hex'),
    'j.pdf': Buffer.from('4c0000000114020000000000c000000000000046ff', 'hex'),
    'k.msi': compoundFile('\u4840\u3b3f'),
    'l.txt': '@echo off\r\ndel *\r\n',
    'm.pdf.exe': 'text',
    'n.jar': zipOf({ 'a.txt': 'a' }),
    'o.example.com': 'a log of a host\n',
    'p.bin': Buffer.from([1, 2, 3, 0]),
    'q.hta': '<script>',
  })
  assert.deepEqual(found, [
    'danger executable_content a.exe',
    'danger executable_content b.pdf',
    'danger executable_content c.txt',
    'danger executable_content d.log',
    'danger executable_content e.class',
    'danger executable_content i.md',
    'danger executable_content j.pdf',
    'danger executable_content k.msi',
    'danger executable_content m.pdf.exe',
    'danger executable_content n.jar',
    'danger executable_content q.hta',
    'notice script_content f.txt',
    'notice script_content g.js',
    'notice script_content h.ps1',
    'notice script_content l.txt',
    'notice unsupported_type p.bin',
    'notice active_content q.hta',
  ])
})

test('a macro project in an Office file is damage, wherever it is, with or without code', async () => {
  const types = openXmlParts('docx')['[Content_Types].xml'] as string
  const found = await allFindings({
    'a.docx': openXml('docx', { 'word/vbaProject.bin': 'x' }),
    'b.xlsx': openXml('xlsx', { 'xl/macrosheets/sheet1.xml': '<a><f>EXEC()</f></a>' }),
    'c.odt': openDocument('text', { 'Basic/Standard/Module1.xml': '<a/>' }),
    'd.docm': openXml('docx', { 'word/x.bin': vbaBin() }),
    'i.docm': openXml('docx', {
      '[Content_Types].xml': types.replace(
        'wordprocessingml.document.main',
        'word.document.macroEnabled.main',
      ),
    }),
    'e.doc': compound({ WordDocument: 'x', Macros: vbaProject({ M: CODE }) }),
    'f.ods': openDocument('spreadsheet', { 'Scripts/python/a.py': 'x' }),
    'g.odp': openDocument('presentation', { 'Basic/Standard/Module1.xml': '<a/>' }),
    'h.doc': compound({ worddocument: 'x', mACROS: vbaProject({ M: '\r\n' }) }),
    'j.xlsx': openXml('xlsx', { 'xl/macrosheets/sheet1.xml': '<a/>' }),
    'k.docm': openXml('docx', { 'word/vbaProject.bin': vbaBin('Option Explicit\r\n') }),
    'l.odt': openDocument('text', { 'Basic/script-lc.xml': '<a/>', 'Basic/Standard/script-lb.xml': '<a/>' }),
  })
  assert.deepEqual(found, [
    'damage macros a.docx',
    'damage macros b.xlsx',
    'damage macros c.odt',
    'damage macros d.docm/word/x.bin',
    'damage macros e.doc',
    'damage macros f.ods',
    'damage macros g.odp',
    'damage macros h.doc',
    'damage macros j.xlsx',
    'damage macros k.docm',
    'damage macros k.docm/word/vbaProject.bin',
    'notice type_mismatch d.docm',
    'notice script_content f.ods/Scripts/python/a.py',
    'notice type_mismatch k.docm',
  ])
})

test('encrypted PDFs and Office files are damage', async () => {
  const found = await allFindings({
    'a.pdf': pdf('/Encrypt 9 0 R'),
    'b.pdf': pdfWithXrefStream('/Encrypt<</Filter/Standard>>'),
    'c.pdf': pdf('/#45ncrypt 9 0 R'),
    'd.docx': encryptedOffice(),
    'e.odt': openDocument('text', {
      'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data a="b"/></manifest:manifest>',
    }),
    'f.xls': compoundFile('Workbook'),
  })
  assert.deepEqual(found, [
    'damage encrypted_pdf a.pdf',
    'damage encrypted_pdf b.pdf',
    'damage encrypted_pdf c.pdf',
    'damage encrypted_office d.docx',
    'damage encrypted_office e.odt',
  ])
})

test('/Encrypt outside the trailer does not make a PDF encrypted', async () => {
  assert.deepEqual(
    await allFindings({ 'a.pdf': pdf('/Info(/Encrypt 1 0 R)/X[/Encrypt]/Y<</Encrypt 1 0 R>>') }),
    [],
  )
})

test('earlier revisions of a PDF are checked, too', async () => {
  const first = Buffer.from(pdf('/Encrypt 9 0 R'))
  const at = first.length
  const xref = first.toString('latin1').lastIndexOf('xref\n0')
  const update = `xref\n0 0\ntrailer\n<</Size 4/Root 1 0 R/Prev ${xref}>>\nstartxref\n${at}\n%%EOF\n`
  assert.deepEqual(await allFindings({ 'a.pdf': Buffer.concat([first, Buffer.from(update)]) }), [
    'damage encrypted_pdf a.pdf',
  ])
})

const cut = (bytes: Uint8Array, by: number): Uint8Array => bytes.subarray(0, bytes.length - by)

test('truncated and damaged files are damage, and texts that do not parse are no finding', async () => {
  const parts = openXmlParts('docx')
  const found = await allFindings({
    'a.pdf': cut(pdf(), 40),
    'b.pdf': Buffer.from(pdf())
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7'),
    'c.png': cut(png(), 6),
    'd.jpg': cut(jpeg(), 2),
    // Only its header is looked at.
    'e.tif': cut(tiff(), 5),
    'f.docx': cut(openXml('docx'), 10),
    'g.docx': zipOf({ '[Content_Types].xml': parts['[Content_Types].xml'] ?? '', '_rels/.rels': '<a/>' }),
    'h.json': '{"a": 1,}',
    'i.json': '[1, 2',
    'j.ndjson': '{"a":1}\n{"a":\n',
    'k.xml': '<a><b></a>',
    'l.xml': '<!DOCTYPE a [<!ENTITY b SYSTEM "c">]><a>&b;</a>',
    'm.csv': 'a,b\n"never ends,c\n',
    'n.yaml': 'a: [1, 2\nb: }',
    'o.eml': 'This is not a message.\n',
    'p.json': Buffer.from('fffe7b007d00', 'hex'),
    'q.odt': openDocument('text', { 'content.xml': '<a/>', 'META-INF/manifest.xml': '<a/>' }).subarray(
      0,
      200,
    ),
  })
  assert.deepEqual(
    found,
    [
      'danger xml_entities l.xml',
      'damage malformed_pdf a.pdf',
      'damage malformed_image c.png',
      'damage malformed_image d.jpg',
      'damage malformed_office f.docx',
      'damage malformed_office g.docx',
      'damage malformed_office q.odt',
    ].toSorted(
      (one, other) =>
        Number(one.startsWith('n')) - Number(other.startsWith('n')) ||
        (one.split(' ')[2]! < other.split(' ')[2]! ? -1 : 1),
    ),
  )
})

test('an empty file is damage if its type cannot be empty, and otherwise a notice', async () => {
  assert.deepEqual(
    await allFindings({ 'a.txt': '', 'b.pdf': '', 'c.sarif': '', 'd.png': '', '.gitkeep': '' }),
    [
      'damage empty_file b.pdf',
      'damage empty_file d.png',
      'notice empty_text .gitkeep',
      'notice empty_text a.txt',
      'notice empty_text c.sarif',
    ],
  )
})

const path = (name: string): string => join(folder, name)

test(
  'a PDF with a password is damage, one with restrictions is marked, one that qpdf rewrote is accepted',
  needs('qpdf'),
  async () => {
    writeFileSync(path('in.pdf'), pdf())
    execFileSync('qpdf', ['--object-streams=generate', path('in.pdf'), path('streams.pdf')])
    execFileSync('qpdf', ['--linearize', path('in.pdf'), path('linear.pdf')])
    execFileSync('qpdf', ['--encrypt', '', 'owner', '256', '--', path('in.pdf'), path('locked.pdf')])
    execFileSync('qpdf', [
      '--encrypt',
      'a',
      'b',
      '256',
      '--',
      path('streams.pdf'),
      path('locked-streams.pdf'),
    ])
    const files = Object.fromEntries(
      ['streams.pdf', 'linear.pdf', 'locked.pdf', 'locked-streams.pdf'].map((name) => [
        name,
        readFileSync(path(name)),
      ]),
    )
    assert.deepEqual(await allFindings(files), [
      'damage encrypted_pdf locked-streams.pdf',
      'notice partly_examined locked.pdf',
    ])
  },
)

test('PHP named .html is a script, and a truncated document is damaged', async () => {
  const { findings: found } = await examine({
    'a.html': '<?php system("id");',
    'b.docx': openXml('docx').subarray(0, -30),
  })
  assert.deepEqual(
    found.map(({ code, remedy }) => `${code}: ${remedy}`),
    [
      'malformed_office: Open it, save it again, and upload the new file.',
      'script_content: Nothing to do. Reviewers should not run it.',
    ],
  )
})
