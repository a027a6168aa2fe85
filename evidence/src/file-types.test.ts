import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
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
import { codes, examine } from '../test/examine.ts'
import { tempFolder } from '../test/temp-folder.ts'
import { FILE_TYPES } from './file-types.ts'

const folder = tempFolder()

async function blockers(files: Contents): Promise<readonly string[]> {
  const loose = codes(await examine(files))
  const packed = codes(await examine({ 'e.zip': zipOf(files) }))
  assert.deepEqual(
    packed.map((line) => line.replace(/ e\.zip\//, ' ')),
    loose,
    'the same findings in an archive and outside of one',
  )
  return loose
}

test('a valid file of each supported type is accepted, loose and in an archive', async () => {
  assert.deepEqual(await blockers(SOUND_FILES), [])
  const { files } = await examine(SOUND_FILES)
  const types = new Set(files.map(({ type }) => type?.mediaType))
  const missing = FILE_TYPES.filter(({ id, mediaType }) => id !== 'zip' && !types.has(mediaType))
  assert.deepEqual(missing, [])
})

test('content that does not match the extension is a blocker', async () => {
  const found = await blockers({
    'a.pdf': 'just text',
    'b.png': jpeg(),
    'c.txt': png(),
    'd.docx': openXml('xlsx'),
    'e.csv': Buffer.from([1, 2, 3, 0, 255]),
    'f.html': 'no markup here',
    'g.odt': openDocument('spreadsheet'),
    'h.pdf': zipOf({ 'a.txt': 'a' }),
    'i.json': tiff(),
  })
  assert.deepEqual(found, [
    'type_mismatch a.pdf',
    'type_mismatch b.png',
    'type_mismatch c.txt',
    'type_mismatch d.docx',
    'type_mismatch e.csv',
    'type_mismatch f.html',
    'type_mismatch g.odt',
    'type_mismatch h.pdf',
    'type_mismatch i.json',
  ])
})

test('the blocker for an unsupported type names the type', async () => {
  const gif = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')
  const { blockers: found } = await examine({
    'a.gif': gif,
    'b.conf': 'key = value',
    'c.7z': Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), Buffer.alloc(64)]),
    'd.msg': compoundFile('__properties_version1.0'),
    'e.epub': zipOf({ mimetype: 'application/epub+zip' }),
  })
  assert.deepEqual(
    found.map(({ code }) => code),
    Array(5).fill('unsupported_type'),
  )
  assert.match(found[0]?.message ?? '', /GIF/)
  assert.match(found[1]?.message ?? '', /name it \.txt/)
  assert.match(found[2]?.message ?? '', /7Z/)
  assert.match(found[3]?.message ?? '', /Outlook/)
  assert.match(found[4]?.message ?? '', /epub/)
})

test('an Office file is recognized without its extension; an archive with a file named mimetype stays an archive', async () => {
  assert.deepEqual(codes(await examine({ 'report.zip': openXml('docx') })), ['type_mismatch report.zip'])
  const { files } = await examine({ report: openXml('docx'), 'e.zip': zipOf({ mimetype: 'a note\n' }) })
  assert.deepEqual(
    files.map(({ path, type }) => `${path} ${type?.mediaType.split('.').at(-1)}`),
    ['data/mimetype text/plain', 'data/report document'],
  )
})

test('programs and scripts are blockers, by content and by name', async () => {
  const exe = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(200)])
  const found = await blockers({
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
  })
  assert.deepEqual(found, [
    'executable_content a.exe',
    'executable_content b.pdf',
    'executable_content c.txt',
    'executable_content d.log',
    'executable_content e.class',
    'script_content f.txt',
    'script_content g.js',
    'script_content h.ps1',
    'executable_content i.md',
    'executable_content j.pdf',
    'executable_content k.msi',
    'script_content l.txt',
    'executable_content m.pdf.exe',
  ])
})

test('macros in an Office file are a blocker, wherever they are', async () => {
  const types = openXmlParts('docx')['[Content_Types].xml'] as string
  const found = await blockers({
    'a.docx': openXml('docx', { 'word/vbaProject.bin': 'x' }),
    'b.xlsx': openXml('xlsx', { 'xl/macrosheets/sheet1.xml': '<a/>' }),
    'c.odt': openDocument('text', { 'Basic/Standard/Module1.xml': '<a/>' }),
    'd.docm': openXml('docx', {
      '[Content_Types].xml': types.replace(
        'wordprocessingml.document.main',
        'word.document.macroEnabled.main',
      ),
    }),
    'e.doc': compoundFile('WordDocument', 'Macros', 'VBA'),
    'f.ods': openDocument('spreadsheet', { 'Scripts/python/a.py': 'x' }),
  })
  assert.deepEqual(found, [
    'macros a.docx',
    'macros b.xlsx',
    'macros c.odt',
    'macros d.docm',
    'unsupported_type d.docm',
    'legacy_office e.doc',
    'macros e.doc',
    'macros f.ods',
  ])
})

test('encrypted PDFs and Office files are blockers', async () => {
  const found = await blockers({
    'a.pdf': pdf('/Encrypt 9 0 R'),
    'b.pdf': pdfWithXrefStream('/Encrypt<</Filter/Standard>>'),
    'c.pdf': pdf('/#45ncrypt 9 0 R'),
    'd.docx': compoundFile('EncryptionInfo', 'EncryptedPackage'),
    'e.odt': openDocument('text', {
      'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data a="b"/></manifest:manifest>',
    }),
    'f.xls': compoundFile('Workbook'),
  })
  assert.deepEqual(found, [
    'encrypted_pdf a.pdf',
    'encrypted_pdf b.pdf',
    'encrypted_pdf c.pdf',
    'encrypted_office d.docx',
    'encrypted_office e.odt',
    'legacy_office f.xls',
  ])
})

test('/Encrypt outside the trailer does not make a PDF encrypted', async () => {
  assert.deepEqual(
    await blockers({ 'a.pdf': pdf('/Info(/Encrypt 1 0 R)/X[/Encrypt]/Y<</Encrypt 1 0 R>>') }),
    [],
  )
})

test('earlier revisions of a PDF are checked, too', async () => {
  const first = Buffer.from(pdf('/Encrypt 9 0 R'))
  const at = first.length
  const xref = first.toString('latin1').lastIndexOf('xref\n0')
  const update = `xref\n0 0\ntrailer\n<</Size 4/Root 1 0 R/Prev ${xref}>>\nstartxref\n${at}\n%%EOF\n`
  assert.deepEqual(await blockers({ 'a.pdf': Buffer.concat([first, Buffer.from(update)]) }), [
    'encrypted_pdf a.pdf',
  ])
})

const cut = (bytes: Uint8Array, by: number): Uint8Array => bytes.subarray(0, bytes.length - by)

test('truncated and damaged files are blockers', async () => {
  const parts = openXmlParts('docx')
  const found = await blockers({
    'a.pdf': cut(pdf(), 40),
    'b.pdf': Buffer.from(pdf())
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7'),
    'c.png': cut(png(), 6),
    'd.jpg': cut(jpeg(), 2),
    'e.tif': cut(tiff(), 5),
    'f.docx': cut(openXml('docx'), 10),
    'g.docx': zipOf({ '[Content_Types].xml': parts['[Content_Types].xml'] ?? '', '_rels/.rels': '<a/>' }),
    'h.json': '{"a": 1,}',
    'i.json': '[1, 2',
    'j.ndjson': '{"a":1}\n{"a":\n',
    'k.xml': '<a><b></a>',
    'l.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    'm.csv': 'a,b\n"never ends,c\n',
    'n.yaml': 'a: [1, 2\nb: }',
    'o.eml': 'This is not a message.\n',
    'p.json': Buffer.from('fffe7b007d00', 'hex'),
    'q.odt': openDocument('text', { 'content.xml': '<a/>', 'META-INF/manifest.xml': '<a/>' }).subarray(
      0,
      200,
    ),
  })
  assert.deepEqual(found, [
    'malformed_pdf a.pdf',
    'malformed_pdf b.pdf',
    'malformed_image c.png',
    'malformed_image d.jpg',
    'malformed_image e.tif',
    'malformed_office f.docx',
    'malformed_office g.docx',
    'malformed_json h.json',
    'malformed_json i.json',
    'malformed_json j.ndjson',
    'malformed_xml k.xml',
    'xml_entities l.xml',
    'malformed_csv m.csv',
    'malformed_yaml n.yaml',
    'malformed_eml o.eml',
    'malformed_json p.json',
    'malformed_office q.odt',
  ])
})

test('text in UTF-16 and 8-bit encodings is accepted', async () => {
  assert.deepEqual(
    await blockers({
      'a.txt': Buffer.from('\ufeffhé', 'utf16le'),
      'b.csv': Buffer.from('a;b\nM\xfcller;1\n', 'latin1'),
      'c.xml': Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xfc</a>', 'latin1'),
      'd.xml': Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><a>ü</a>', 'utf16le'),
    }),
    [],
  )
})

test('an empty file is a blocker', async () => {
  assert.deepEqual(await blockers({ 'a.txt': '', 'b.pdf': '' }), ['empty_file a.txt', 'empty_file b.pdf'])
})

const path = (name: string): string => join(folder, name)

test('a PDF that qpdf encrypted is rejected, one that it only rewrote is accepted', async (t) => {
  if (spawnSync('qpdf', ['--version']).status !== 0) return t.skip('qpdf is not installed')
  writeFileSync(path('in.pdf'), pdf())
  execFileSync('qpdf', ['--object-streams=generate', path('in.pdf'), path('streams.pdf')])
  execFileSync('qpdf', ['--linearize', path('in.pdf'), path('linear.pdf')])
  execFileSync('qpdf', ['--encrypt', '', 'owner', '256', '--', path('in.pdf'), path('locked.pdf')])
  execFileSync('qpdf', ['--encrypt', 'a', 'b', '256', '--', path('streams.pdf'), path('locked-streams.pdf')])
  const files = Object.fromEntries(
    ['streams.pdf', 'linear.pdf', 'locked.pdf', 'locked-streams.pdf'].map((name) => [
      name,
      readFileSync(path(name)),
    ]),
  )
  assert.deepEqual(await blockers(files), ['encrypted_pdf locked-streams.pdf', 'encrypted_pdf locked.pdf'])
})

const nested = (levels: number): string =>
  Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:\n`).join('')

test('deeply nested YAML is rejected before it overflows the stack', async () => {
  assert.deepEqual(await blockers({ 'a.yaml': nested(199), 'b.yaml': `${'- '.repeat(199)}a` }), [])
  const { blockers: found } = await examine({
    'a.yaml': nested(600),
    'b.yaml': `b:\n  ${'- '.repeat(250)}a`,
    'c.yaml': nested(250).replaceAll('a:', '- ? a'),
  })
  assert.deepEqual(
    found.map(({ message }) => message),
    Array.from({ length: 3 }, () => 'The file is not valid YAML. It is nested deeper than 200 levels.'),
  )
})

test('PHP named .html is a script, and a truncated document is damaged', async () => {
  const { blockers: found } = await examine({
    'a.html': '<?php system("id");',
    'b.docx': openXml('docx').subarray(0, -30),
  })
  assert.deepEqual(
    found.map(({ code, remedy }) => `${code}: ${remedy}`),
    [
      'script_content: Remove the script, or upload it printed as PDF.',
      'malformed_office: Open it, save it again, and upload the new file.',
    ],
  )
})
