import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import {
  CODE,
  compound,
  ole10Native,
  oneNote,
  outlookMessage,
  vbaBin,
  vbaProject,
} from '../test/compound-samples.ts'
import { compoundFile, type Contents, openXml, zipOf } from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'

const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))

/** `\objdata` with an OLE 1.0 header: version, format, class name, topic, item, content. */
function rtfObject(name: string, content = 'data'): string {
  const header = Buffer.alloc(12)
  header.writeUInt32LE(0x501, 0)
  header.writeUInt32LE(2, 4)
  header.writeUInt32LE(name.length + 1, 8)
  const hex = Buffer.concat([
    header,
    Buffer.from(`${name}\0`),
    Buffer.alloc(12),
    Buffer.from(content, 'latin1'),
  ]).toString('hex')
  return `{\\object\\objemb{\\*\\objdata ${hex.replaceAll(/.{60}/g, '$&\n')}}}`
}

test('objects in RTF that can run something are a danger under any name, others are a notice', async () => {
  assert.deepEqual(
    await found({
      'a.rtf': '{\\rtf1 plain}',
      'b.rtf': `{\\rtf1 ${rtfObject('Excel.Sheet.8')}}`,
      'c.doc': `{\\rtf1 ${rtfObject('Package', 'x')}}`,
      'd.txt': `{\\rt ${rtfObject('Word.Picture.8', '\0C:\\run.exe\0')}}`,
      'e.rtf': `{\\rtf1 {\\object\\objautlink\\objupdate}}`,
      'f.rtf': `{\\rtf1 ${'x'.repeat(3_000_000)}${rtfObject('Equation.3')}}`,
      'g.rtf': Buffer.concat([
        Buffer.from('{\\rtf1\\bin9 '),
        Buffer.alloc(900, 1),
        Buffer.from(`${rtfObject('OLE2Link')}}`),
      ]),
    }),
    [
      'danger embedded_object c.doc',
      'danger embedded_object d.txt',
      'danger embedded_object e.rtf',
      'danger embedded_object f.rtf',
      'danger embedded_object g.rtf',
      'notice active_content b.rtf',
      'notice type_mismatch c.doc',
      'notice type_mismatch d.txt',
    ],
  )
})

const hex = (object: string): string => /objdata ([^}]*)/.exec(object)?.[1]?.replaceAll('\n', '') ?? ''

test('objects in RTF are found through what RTF allows between their digits', async () => {
  const equation = hex(rtfObject('Equation.3'))
  const tricks: Readonly<Record<string, string>> = {
    spaces: [...equation].join(' \r\n'),
    groups: equation.replaceAll(/.{10}/g, '$&{\\*\\x}'),
    words: equation.replaceAll(/.{8}/g, '$&\\par\\b0 '),
    nested: `{${equation.slice(0, 20)}}${equation.slice(20)}`,
    ignored: equation.replaceAll(/.{10}/g, '$&{\\*\\x 41424344}'),
    escapes: equation.replaceAll(/.{10}/g, "$&\\'41"),
    hidden: `\\bin0 ${equation}`,
  }
  for (const [name, digits] of Object.entries(tricks))
    assert.deepEqual(
      await found({ 'a.rtf': `\n{\\rtf1{\\object{\\*\\objdata ${digits}}}}` }),
      ['danger embedded_object a.rtf'],
      name,
    )
  const binary = Buffer.from(equation, 'hex')
  const raw = Buffer.concat([
    Buffer.from(`{\\rtf1{\\*\\objdata\\bin${binary.length} `),
    binary,
    Buffer.from('}}'),
  ])
  assert.ok((await found({ 'a.rtf': raw })).includes('danger embedded_object a.rtf'))
})

test('files in RTF objects are examined, templates and fields are a notice', async () => {
  const native = ole10Native('a.js', 'go()').toString('latin1')
  // The size of the native data is part of it.
  const packaged = rtfObject('Package', '')
    .replaceAll('\n', '')
    .replace(/0{8}}}$/, '')
  assert.deepEqual(
    await found({
      'a.rtf': `{\\rtf1 ${packaged}${Buffer.from(native, 'latin1').toString('hex')}}}}`,
      'b.rtf': `{\\rtf1 ${rtfObject('Word.Document.8', `\0\0\0\0${compound({ WordDocument: 'x', Macros: vbaProject({ M: CODE }) }).toString('latin1')}`)}}`,
      'c.rtf': '{\\rtf1{\\*\\template http://example.com/a.dot}}',
      'd.rtf': "{\\rtf1{\\*\\template \\u104?\\'74\\u116?p://example.com/a}}",
      'e.rtf': '{\\rtf1{\\*\\template C:\\\\a.dot}}',
      'f.rtf': '{\\rtf1{\\field{\\*\\fldinst {DD}{\\b EAUTO c:\\\\x}}}}',
      'g.rtf': '{\\rtf1{\\field{\\*\\fldinst PAGE}}}',
      'h.rtf': '{\\rtf1{\\*\\template \\\\\\\\server\\\\a.dot}}',
    }),
    [
      'danger embedded_object a.rtf',
      'danger executable_content a.rtf/a.js',
      'danger macros b.rtf/object 1',
      'notice active_content b.rtf',
      'notice active_content c.rtf',
      'notice active_content d.rtf',
      'notice active_content f.rtf',
      'notice active_content h.rtf',
    ],
  )
})

test('macros in text forms of Office documents are a danger', async () => {
  assert.deepEqual(
    await found({
      'a.xml': '<?xml version="1.0"?><w:wordDocument xmlns:w="x" w:macrosPresent="yes"/>',
      'b.fodt':
        '<office:document xmlns:ooo="x" xmlns:office="y"><ooo:module ooo:name="M"/></office:document>',
      'c.mht': 'From: <Saved>\nMIME-Version: 1.0\n\nQWN0aXZlTWltZQAAAfAEAAAA\n',
      'd.slk': 'ID;P\nO;E\nC;Y1;X1;K0;EEXEC("calc")\nE\n',
      'e.slk': 'ID;PWXL;N;E\nC;Y1;X1;K0\nE\n',
    }),
    ['a.xml', 'b.fodt', 'c.mht', 'd.slk'].map((name) => `danger macros ${name}`),
  )
})

test('scripts in SVG are a notice, a plain SVG is accepted', async () => {
  assert.deepEqual(
    await found({
      'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1"/></svg>',
      'b.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'c.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>',
    }),
    ['notice active_content b.svg', 'notice active_content c.svg'],
  )
})

test('macros in binary Excel workbooks and embedded programs in legacy files are a danger', async () => {
  const types =
    '<Types><Default Extension="bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>'
  const binary = (more: Contents): Uint8Array =>
    openXml('xlsx', { '[Content_Types].xml': types, 'xl/workbook.bin': 'x', ...more })
  const relations =
    '<Relationships><Relationship Id="a" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="v.bin"/></Relationships>'
  assert.deepEqual(
    await found({
      'a.xlsb': binary({}),
      'b.xlsb': binary({ 'xl/vbaProject.bin': 'x' }),
      'c.xlsb': binary({ 'xl/_rels/workbook.bin.rels': relations, 'xl/v.bin': 'x' }),
      'd.ppt': presentation('01000000'),
      'e.doc': compoundFile('WordDocument'),
      'f.ppt': presentation('00000000'),
      'g.ppt': presentation('00000000', vbaBin()),
      'h.ppt': presentation('01000000', vbaBin('')),
      'i.ppt': presentation('01000000', deflateSync(vbaBin())),
    }),
    [
      'danger macros b.xlsb',
      'danger macros c.xlsb',
      'danger macros d.ppt',
      'danger macros g.ppt/object 1',
      'danger macros i.ppt/object 1',
      'notice legacy_office d.ppt',
      'notice legacy_office e.doc',
      'notice legacy_office f.ppt',
      'notice legacy_office g.ppt',
      'notice legacy_office h.ppt',
      'notice empty_macros h.ppt/object 1',
      'notice legacy_office i.ppt',
    ],
  )
})

/** A presentation that says whether it has macros, with an object, which may be compressed. */
function presentation(flag: string, object?: Uint8Array): Uint8Array {
  const isCompressed = object?.[0] === 0x78
  const header = Buffer.alloc(8)
  header.writeUInt16LE(isCompressed ? 0x10 : 0, 0)
  header.writeUInt16LE(0x1011, 2)
  header.writeUInt32LE((object?.length ?? 0) + (isCompressed ? 4 : 0), 4)
  const info = Buffer.from(`ff0314000000020000040c00000001000000${flag}02000000`, 'hex')
  const stored = object === undefined ? [] : [header, Buffer.alloc(isCompressed ? 4 : 0), object]
  return compound({ 'PowerPoint Document': Buffer.concat([info, ...stored]) })
}

const record = (type: number, ...data: readonly number[]): Buffer => {
  const header = Buffer.alloc(4)
  header.writeUInt16LE(type, 0)
  header.writeUInt16LE(data.length, 2)
  return Buffer.concat([header, Buffer.from(data)])
}

test('Excel 4.0 macros, passwords, packages and attachments in Compound Files are found in their streams', async () => {
  const sheet = (kind: number): Buffer =>
    Buffer.concat([record(0x809, 0, 6), record(0x85, 0, 0, 0, 0, 0, kind, 1, 0, 65), record(0x0a)])
  const program = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)])
  assert.deepEqual(
    await found({
      'a.xls': compound({ Workbook: sheet(0) }),
      'b.xls': compound({ Workbook: sheet(1) }),
      'c.xls': compound({ Workbook: Buffer.concat([record(0x809, 0, 6), record(0x2f, 0, 0), record(0x0a)]) }),
      'd.doc': compound({ WordDocument: 'x', '\u0001Ole10Native': ole10Native('run.exe', 'x') }),
      'e.msg': outlookMessage({ 'a.txt': program }),
      'f.msg': outlookMessage({ 'a.txt': 'text' }),
      'g.msg': outlookMessage({ 'run.scr': 'text' }, false),
      'h.xls': compound({
        Workbook: Buffer.concat([record(0x1ae, 0, 0, 7, 0, 0, ...Buffer.from('cmd\x03/c'))]),
      }),
      'i.doc': compound({ WordDocument: Buffer.from('\x13 DDEAUTO c:\\x "y" \x15', 'utf16le') }),
      'j.bin': compound({ EncryptedPackage: Buffer.concat([Buffer.alloc(8), zipOf({ 'x.exe': program })]) }),
      'k.bin': compound({ EncryptionInfo: 'x'.repeat(60), EncryptedPackage: program }),
      'l.doc': compound({ x: 'y' }, '02ce020000000000c000000000000046'),
    }),
    [
      'danger macros b.xls',
      'damage encrypted_office c.xls',
      'danger executable_content d.doc',
      'danger executable_content d.doc/run.exe',
      'danger executable_content e.msg/a.txt',
      'danger executable_content g.msg/run.scr',
      'danger appended_content j.bin/EncryptedPackage',
      'danger executable_content j.bin/EncryptedPackage/x.exe',
      'danger executable_content k.bin/EncryptedPackage',
      'notice legacy_office a.xls',
      'notice legacy_office b.xls',
      'notice legacy_office c.xls',
      'notice legacy_office d.doc',
      'notice active_content h.xls',
      'notice legacy_office h.xls',
      'notice active_content i.doc',
      'notice legacy_office i.doc',
      'notice type_mismatch j.bin',
      'notice unsupported_type j.bin/EncryptedPackage',
      'notice type_mismatch k.bin',
      'notice unsupported_type k.bin/EncryptedPackage',
      'notice active_content l.doc',
    ],
  )
})

test('attachments in a mailbox and in a saved web page are searched like those of a message', async () => {
  const attached = `Content-Type: application/x\nContent-Transfer-Encoding: base64\n\n${Buffer.from('MZ\x90\0\x03\0\0\0\x04', 'latin1').toString('base64')}\n`
  const message = `From: a@example.com\nTo: b@example.com\nDate: Mon, 1 Jun 2026 10:00:00 +0000\n\ntext\n--x\n${attached}--x--\n`
  assert.deepEqual(await found({ 'a.mbox': `From a@example.com Mon Jun 1\n${message}`, 'b.mht': message }), [
    'danger executable_content a.mbox/part 1',
    'danger executable_content b.mht/part 1',
  ])
})

test('programs behind a byte order mark or blank lines are a danger, a text that starts with MZ is not', async () => {
  const program = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(100)])
  const elf = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), Buffer.alloc(100)])
  assert.deepEqual(
    await found({
      'a.txt': Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), program]),
      'b.txt': Buffer.concat([Buffer.from('\r\n\n'), program]),
      'c.log': Buffer.concat([Buffer.from('\n'), elf]),
      'd.txt': '\nMZ is how a Windows program starts.\n',
    }),
    ['a.txt', 'b.txt', 'c.log'].map((name) => `danger executable_content ${name}`),
  )
})

test('shortcuts, web queries and HTML applications are recognized by content', async () => {
  const files: Contents = {
    'a.txt': 'WEB\r\n1\r\nhttps://example.com/run\r\n',
    'b.txt': '[Desktop Entry]\nType=Application\nExec=sh -c true\n',
    'c.txt': '[InternetShortcut]\r\nURL=file://server/run.exe\r\n',
    'd.txt': '[Shell]\r\nCommand=2\r\n',
    'e.txt': '<html><head><HTA:APPLICATION id="x"/></head></html>',
    'f.txt': '<?xml version="1.0"?>\n<PCSettings><DeepLink>cmd.exe</DeepLink></PCSettings>',
    'g.txt': '\n#!/bin/sh\ntrue\n',
  }
  const plain: Contents = {
    'x.txt': 'WEB 1\nplain',
    'y.ini': '[Shell]\nfont=1\n',
    'z.html': '<html><p>HTA</html>',
  }
  assert.deepEqual(
    await found({ ...files, ...plain }),
    Object.keys(files).map((name) => `notice script_content ${name}`),
  )
})

test('programs and scripts in a OneNote section are a danger', async () => {
  assert.deepEqual(
    await found({
      'a.one': oneNote('a.txt', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1')),
      'b.one': oneNote('b.txt', '@echo off\r\ncalc'),
      'd.one': oneNote('d.vbs', 'beep'),
      'c.one': oneNote('c.txt', 'notes of a meeting'),
    }),
    [
      'danger executable_content a.one/file 1',
      'danger executable_content b.one/file 1',
      'danger executable_content d.one',
      ...['a', 'b', 'c', 'd'].map((name) => `notice partly_examined ${name}.one`),
    ],
  )
})
