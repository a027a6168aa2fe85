import assert from 'node:assert/strict'
import { windowsProgram } from '../test/program-samples.ts'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { compound, ole10Native, oneNote, outlookMessage, vbaBin } from '../test/compound-samples.ts'
import { compoundFile, type Contents, openXml, png, zipOf } from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'

const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))

test('macros in text forms of Office documents are damage', async () => {
  assert.deepEqual(
    await found({
      'a.xml': '<?xml version="1.0"?><w:wordDocument xmlns:w="x" w:macrosPresent="yes"/>',
      'b.fodt':
        '<office:document xmlns:ooo="x" xmlns:office="y"><ooo:module ooo:name="M"/></office:document>',
      'c.mht': 'From: <Saved>\nMIME-Version: 1.0\n\nQWN0aXZlTWltZQAAAfAEAAAA\n',
      'd.slk': 'ID;P\nO;E\nC;Y1;X1;K0;EEXEC("calc")\nE\n',
      'e.slk': 'ID;PWXL;N;E\nC;Y1;X1;K0\nE\n',
    }),
    ['a.xml', 'b.fodt', 'c.mht', 'd.slk'].map((name) => `damage macros ${name}`),
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

test('macros in binary Excel workbooks and in presentations are damage', async () => {
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
      'damage macros b.xlsb',
      'damage macros c.xlsb/xl/_rels/workbook.bin.rels',
      'damage macros d.ppt',
      'damage macros h.ppt',
      'damage macros i.ppt',
      ...['d', 'f', 'g', 'h', 'i'].map((name) => `notice partly_examined ${name}.ppt`),
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
  const program = windowsProgram()
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
      'damage macros b.xls',
      'damage encrypted_office c.xls',
      'danger executable_content d.doc',
      'danger executable_content e.msg',
      'danger executable_content e.msg/a.txt',
      'danger executable_content g.msg/run.scr',
      'damage encrypted_office k.bin',
      'danger executable_content k.bin',
      'notice partly_examined d.doc',
      'notice active_content h.xls',
      'notice active_content i.doc',
      'notice partly_examined j.bin',
      'notice type_mismatch j.bin',
      'notice partly_examined l.doc',
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

test('a program in a OneNote section is a danger, and any section is marked', async () => {
  assert.deepEqual(
    await found({
      'a.one': oneNote('a.txt', windowsProgram()),
      'b.one': oneNote('b.txt', '@echo off\r\ncalc'),
      'd.one': oneNote('d.vbs', 'beep'),
      'e.one': oneNote('install.ps1', png()),
      'c.one': oneNote('c.txt', 'notes of a meeting'),
    }),
    [
      'danger executable_content a.one',
      ...['a', 'b', 'c', 'd', 'e'].map((name) => `notice partly_examined ${name}.one`),
    ],
  )
})
