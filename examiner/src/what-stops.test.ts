import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { tarOf } from '../test/archive-samples.ts'
import { CODE, compound, ole10Native, oneNote, vbaBin, vbaProject } from '../test/compound-samples.ts'
import {
  bytesOf,
  compoundFile,
  deflated,
  jpeg,
  openDocument,
  openXml,
  pdf,
  png,
  zipOf,
  zipOfEntries,
} from '../test/evidence-samples.ts'
import { examine } from '../test/examine.ts'
import { MAIL_HEADER, message, tnef } from '../test/mail-samples.ts'
import { pdfWithFile, withObject } from '../test/pdf-samples.ts'
import { linuxProgram, macProgram, windowsProgram } from '../test/program-samples.ts'

// What stops a submission, what its supplier acknowledges, what is only marked, and what is no finding at all.

const EXE = windowsProgram()
const after = (start: string | Uint8Array, end: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(start), end])
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const encrypted = (name: string): Uint8Array => {
  const entry = deflated(name, 'x')
  return zipOfEntries({ ...entry, header: { ...entry.header, flags: 1 } })
}
const rtf = (object: Uint8Array): string => `{\\rtf1{\\object\\objemb{\\*\\objdata 01050000${hex(object)}}}}`

type Rows = Readonly<Record<string, readonly (readonly [name: string, content: string | Uint8Array])[]>>

/** Danger: never accepted. */
const STOPS: Rows = {
  executable_content: [
    ['windows.txt', EXE],
    ['linux.pdf', linuxProgram()],
    ['mac.bin', macProgram()],
    ['behind.pdf', after(pdf(), EXE)],
    ['inside.doc', compound({ WordDocument: after('x'.repeat(5000), EXE) })],
    ['hex.rtf', rtf(EXE)],
    ['spaced.rtf', rtf(EXE).replaceAll(/(?<=[\da-f]{2})(?=[\da-f]{2})/g, ' \r\n')],
    ['link.html', `<a href="data:application/x;base64,${base64(EXE)}">`],
    ['link.json', JSON.stringify({ a: `data:x/y;base64,${base64(after(png(), EXE))}` })],
    ['attached.eml', message(EXE, { name: 'a.txt' })],
    ['note.one', oneNote('a', EXE)],
    ['winmail.dat', tnef('a.txt', EXE, true)],
    ['packed.pdf', pdfWithFile('a.txt', EXE, '/Filter/FlateDecode', deflateSync)],
    ['stream.pdf', withObject('/Filter/FlateDecode', deflateSync(after('q ', EXE)))],
    [
      'deep.zip',
      zipOf({ 'a.tgz': gzipSync(tarOf({ 'b.docx': openXml('docx', { 'word/media/a.png': EXE }) })) }),
    ],
    ['unknown.bin', after(Buffer.alloc(3000, 0x81), EXE)],
    ['named.zip', encrypted('run.exe')],
    ['screen.scr', 'text'],
    ['page.hta', 'text'],
    ['installer.msi', compoundFile('\u4840\u3b3f')],
    ['shortcut.txt', Buffer.from('4c0000000114020000000000c000000000000046', 'hex')],
  ],
  appended_content: [
    ['a.png', after(png(), EXE)],
    ['b.jpg', after(jpeg(), zipOf({ a: 'b' }))],
    ['c.png', after(png(), Buffer.from('Rar!\x1a\x07\0rest', 'latin1'))],
  ],
  name_traversal: [['a.zip', zipOf({ '../a.txt': 'x' })]],
  xml_entities: [
    ['reads.xml', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['grows.xml', '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>'],
  ],
  private_key: [
    ['a.txt', `-----BEGIN ${'PRIVATE KEY'}-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(4)}\n`],
  ],
}

/** Damage: blocks, unless its supplier acknowledges it. */
const ACKNOWLEDGED: Rows = {
  macros: [
    ['a.docm', openXml('docx', { 'word/vbaProject.bin': vbaBin('') })],
    ['b.xls', compound({ Workbook: 'x', _VBA_PROJECT_CUR: vbaProject({ M: CODE }) })],
    ['c.xlsx', openXml('xlsx', { 'xl/macrosheets/sheet1.xml': '<a/>' })],
    ['d.odt', openDocument('text', { 'Basic/Standard/Module1.xml': '<a/>' })],
  ],
  encrypted_pdf: [['a.pdf', pdf('/Encrypt 9 0 R')]],
  encrypted_archive: [['a.zip', encrypted('a.txt')]],
  malformed_pdf: [['a.pdf', pdf().subarray(0, 100)]],
  malformed_image: [['a.png', png().subarray(0, 45)]],
  empty_file: [['a.pdf', '']],
}

/** Notices: never block. */
const MARKED: Rows = {
  active_content: [
    ['launch.pdf', withObject('/S/Launch/F(calc.exe)')],
    ['script.pdf', withObject('/S/#4aavaScript/JS(x)')],
    ['form.pdf', withObject('/S/SubmitForm/F(http://x)')],
    ['media.pdf', withObject('/S/Rendition')],
    ['remote.pdf', withObject('/S/GoToR/F(\\\\\\\\x\\\\y)')],
    ['xfa.pdf', withObject('/XFA 9 0 R')],
    ['open.pdf', withObject('/OpenAction<</S/URI/URI(http://x)>>')],
    [
      'packed.pdf',
      withObject(
        '/Type/ObjStm/N 1/First 4/Filter/FlateDecode',
        deflateSync('7 0 <</S/JavaScript/JS 5 0 R>>'),
      ),
    ],
    ['page.html', '<p onclick=go()>'],
    ['image.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['notes.md', '# a\n<script>go()</script>'],
    ['book.ipynb', '{"a":"<script>go()</script>"}'],
    [
      'template.docx',
      openXml('docx', {
        'word/_rels/settings.xml.rels':
          '<Relationships><Relationship Id="a" Type="x/attachedTemplate" Target="http://x/a" TargetMode="External"/></Relationships>',
      }),
    ],
    ['field.docx', openXml('docx', { 'word/document.xml': '<w:fldSimple w:instr="DDEAUTO c:\\x"/>' })],
    ['object.rtf', rtf(Buffer.from('data'))],
    ['upper.rtf', '{\\rtf1{\\*\\template http://example.com/a.dot}}'],
    ['table.csv', 'a\n=HYPERLINK("http://x")\n'],
    ['program.csv', "a\n=cmd|'/c calc'!A0\n"],
  ],
  script_content: [
    ['a.js', 'alert(1)'],
    ['b.txt', '#!/bin/sh\nid\n'],
    ['c.url', '[InternetShortcut]\nURL=http://x\n'],
    ['d.eml', message(bytesOf('alert(1)'), { name: 'a.js' })],
    ['e.eml', message(zipOf({ 'a.vbs': 'beep' }), { name: 'a.zip' })],
    ['f.pdf', pdfWithFile('a.ps1', 'Get-Item')],
  ],
  partly_examined: [
    ['a.one', oneNote('a', 'text')],
    ['b.tnef', tnef('a.txt', 'text', true)],
    ['c.p7m', after(Buffer.from('3082040006092a864886f70d010702', 'hex'), Buffer.alloc(100, 1))],
    ['d.rtf', rtf(Buffer.from('data'))],
    ['e.ppt', compound({ 'PowerPoint Document': 'x' })],
    ['f.pdf', withObject('/Filter/LZWDecode', Buffer.from('data'))],
    ['g.pdf', withObject('/Type/EmbeddedFile/Filter[/ASCIIHexDecode]', Buffer.from('4d5a'))],
    ['h.doc', compound({ WordDocument: 'x', '\u0001Ole10Native': ole10Native('a.txt', 'x') })],
  ],
  unsupported_type: [
    ['a.7z', Buffer.from('377abcaf271c0004', 'hex')],
    ['b.pcap', after(Buffer.from('d4c3b2a1', 'hex'), EXE)],
    ['c.vmdk', after(Buffer.from('4b444d5600000000', 'hex'), EXE)],
  ],
}

const RFC = `Network Working Group\nRequest for Comments: 8410\n\n-----BEGIN ${'PRIVATE KEY'}-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END ${'PRIVATE KEY'}-----\n`

/** No finding at all. */
const HONEST: readonly (readonly [name: string, content: string | Uint8Array])[] = [
  ['cut.json', '{"a":'],
  ['cut.csv', 'a,b\n"c'],
  ['odd.yaml', 'a: [1, 2\nb: }'],
  ['odd.xml', '<a><b></a>'],
  ['old.xls', compoundFile('Workbook')],
  ['wide.txt', Buffer.from('\ufeffhé', 'utf16le')],
  ['rfc8410.txt', RFC],
  ['mail.eml', `${MAIL_HEADER}\r\nHello\r\n`],
  ['links.pdf', withObject('/Subtype/Link/A<</S/URI/URI(https://example.com)>>')],
  ['opens.pdf', withObject('/OpenAction[3 0 R/XYZ null null null]')],
  ['hash.txt', 'MZ is the mark of a program, \x7fELF of another\n'],
  ['page.html', '<p>text about onclick= and javascript:</p>'],
]

for (const [rows, kind] of [
  [STOPS, 'danger'],
  [ACKNOWLEDGED, 'damage'],
  [MARKED, 'notice'],
] as const)
  for (const [code, files] of Object.entries(rows))
    test(`${code} is a ${kind} in each of ${files.length} files`, async () => {
      for (const [name, content] of files) {
        const { findings, blockers } = await examine({ [name]: content })
        const found = findings.map((one) => `${one.class} ${one.code}`)
        assert.ok(found.includes(`${kind} ${code}`), `${name}: ${found.join(', ')}`)
        if (kind === 'notice') assert.deepEqual(blockers, [], name)
        const accepted = await examine({ [name]: content }, { accept: [code] })
        assert.equal(accepted.blockers.length > 0, kind === 'danger', name)
      }
    })

test('formats are not proof-read, and honest files have no finding', async () => {
  for (const [name, content] of HONEST) {
    const { findings } = await examine({ [name]: content })
    assert.deepEqual(
      findings.map(({ code }) => code),
      [],
      name,
    )
  }
})
