import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compoundFile, type Contents, openXml } from '../test/evidence-samples.ts'
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
      'd.ppt': Buffer.concat([
        compoundFile('PowerPoint Document'),
        Buffer.from('ff03140000000200000 40c000000'.replaceAll(' ', ''), 'hex'),
      ]),
      'e.doc': compoundFile('WordDocument'),
    }),
    [
      'danger macros b.xlsb',
      'danger macros c.xlsb',
      'danger macros d.ppt',
      'notice legacy_office d.ppt',
      'notice legacy_office e.doc',
    ],
  )
})

/** A Compound File with one stream of 4,096 bytes: its table is sector 0, its directory sector 1. */
function withStream(name: string, content: Uint8Array, ...others: readonly string[]): Uint8Array {
  const file = Buffer.from(compoundFile(name, ...others))
  const sectors = (file.length - 512) / 512
  for (let sector = 0; sector < 8; sector++)
    file.writeUInt32LE(sector === 7 ? 0xfffffffe : sectors + sector + 1, 512 + (sectors + sector) * 4)
  const entry = 1024 + 128
  file.writeUInt32LE(sectors, entry + 116)
  file.writeUInt32LE(4096, entry + 120)
  const data = Buffer.alloc(4096)
  data.set(content)
  return Buffer.concat([file, data])
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
  const native = Buffer.concat([Buffer.alloc(6), Buffer.from('x\0C:\\run.exe\0\0')])
  assert.deepEqual(
    await found({
      'a.xls': withStream('Workbook', sheet(0)),
      'b.xls': withStream('Workbook', sheet(1)),
      'c.xls': withStream('Workbook', Buffer.concat([record(0x809, 0, 6), record(0x2f, 0, 0), record(0x0a)])),
      'd.doc': withStream('\u0001Ole10Native', native, 'WordDocument'),
      'e.msg': withStream('__substg1.0_37010102', program, '__properties_version1.0'),
      'f.msg': withStream('__substg1.0_37010102', Buffer.from('text'), '__properties_version1.0'),
      'g.msg': withStream(
        '__substg1.0_3707001F',
        Buffer.from('run.scr', 'utf16le'),
        '__properties_version1.0',
      ),
    }),
    [
      'danger macros b.xls',
      'damage encrypted_office c.xls',
      'danger executable_content d.doc',
      'danger executable_content e.msg',
      'danger executable_content g.msg',
      'notice legacy_office a.xls',
      'notice legacy_office b.xls',
      'notice legacy_office c.xls',
      'notice legacy_office d.doc',
    ],
  )
})

test('attachments in a mailbox and in a saved web page are searched like those of a message', async () => {
  const attached = `Content-Type: application/x\nContent-Transfer-Encoding: base64\n\n${Buffer.from('MZ\x90\0\x03\0\0\0\x04', 'latin1').toString('base64')}\n`
  const message = `From: a@example.com\nTo: b@example.com\nDate: Mon, 1 Jun 2026 10:00:00 +0000\n\ntext\n--x\n${attached}--x--\n`
  assert.deepEqual(await found({ 'a.mbox': `From a@example.com Mon Jun 1\n${message}`, 'b.mht': message }), [
    'danger executable_content a.mbox',
    'danger executable_content b.mht',
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

const section = (content: string): Uint8Array =>
  Buffer.concat([
    Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'),
    Buffer.alloc(3000, 1),
    Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex'),
    Buffer.alloc(20),
    Buffer.from(content, 'latin1'),
  ])

test('programs and scripts in a OneNote section are a danger', async () => {
  assert.deepEqual(
    await found({
      'a.one': section('MZ\x90\0\x03\0\0\0'),
      'b.one': section('@echo off\r\ncalc'),
      'c.one': section('notes of a meeting'),
    }),
    ['danger executable_content a.one', 'danger executable_content b.one', 'notice partly_examined c.one'],
  )
})
