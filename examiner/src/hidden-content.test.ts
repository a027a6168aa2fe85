import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import {
  ole10Native,
  compound,
  oneNote,
  olePackage,
  outlookMessage,
  vbaBin,
  vbaProject,
} from '../test/compound-samples.ts'
import { MAIL_HEADER, message, tnef, uuencoded } from '../test/mail-samples.ts'
import { bytesOf, openDocument, openXml, zipOf } from '../test/evidence-samples.ts'
import { pdfWithFile } from '../test/pdf-samples.ts'
import { windowsProgram } from '../test/program-samples.ts'
import { examine, noticed } from '../test/examine.ts'
import { eicarString } from './search/find-bytes.ts'
import { tarOf } from '../test/archive-samples.ts'

const EXE = windowsProgram()
const HTML = '<!doctype html><title>a</title><body onload="go()">'

/** What is hidden, under an honest name, and what is found about it. */
const PAYLOADS: readonly (readonly [name: string, content: string | Uint8Array, finding: string])[] = [
  ['report.txt', EXE, 'danger executable_content'],
  ['~$evil.exe', EXE, 'danger executable_content'],
  ['Thumbs.db', EXE, 'danger executable_content'],
  ['__MACOSX/._x', EXE, 'danger executable_content'],
  ['._x', EXE, 'danger executable_content'],
  ['run.scr', 'text', 'danger executable_content'],
  ['a.txt', eicarString(), 'danger test_virus'],
  ['a.docm', openXml('docx', { 'word/vbaProject.bin': vbaBin() }), 'damage macros'],
  [
    'a.doc',
    compound({ WordDocument: 'x', Macros: vbaProject({ M: 'Sub A()\r\nBeep\r\nEnd Sub' }) }),
    'damage macros',
  ],
  ['in.zip', zipOf({ 'x/y.bin': EXE }), 'danger executable_content'],
  ['book.epub', zipOf({ 'x/y.bin': EXE }), 'danger executable_content'],
  ['a.tar', tarOf({ '~$evil.exe': EXE }), 'danger executable_content'],
  ['a.log.gz', gzipSync(EXE), 'danger executable_content'],
  ['a.msg', outlookMessage({ 'b.txt': EXE }), 'danger executable_content'],
  [
    'o.doc',
    compound({ WordDocument: 'x', ObjectPool: { _1: { '\u0001Ole10Native': ole10Native('a.js', 'x') } } }),
    'notice partly_examined',
  ],
  ['a.ps1', 'Get-Item\n', 'notice script_content'],
  ['a.html', HTML, 'notice active_content'],
]

/** Every way to hold a file in another. */
const plain = (name: string): string => name.replace(/.*\//, '')
const CONTAINERS: Readonly<Record<string, (name: string, content: string | Uint8Array) => Uint8Array>> = {
  'nested.zip': (name, content) => zipOf({ 'n.zip': zipOf({ [name]: content }) }),
  'a.tar': (name, content) => tarOf({ [name]: content }),
  'a.tgz': (name, content) => gzipSync(tarOf({ [name]: content })),
  'a.cbz': (name, content) => zipOf({ [name]: content }),
  'a.pages': (name, content) => zipOf({ [name]: content }),
  'a.unknown': (name, content) => zipOf({ [name]: content }),
  'wide.msg': (name, content) => outlookMessage({ [plain(name)]: content }),
  'narrow.msg': (name, content) => outlookMessage({ [plain(name)]: content }, false),
  'base64.eml': (name, content) => bytesOf(message(Buffer.from(content), { name: plain(name) })),
  'quoted.eml': (name, content) =>
    bytesOf(message(Buffer.from(content), { name: plain(name), encoding: 'quoted-printable' })),
  'uuencode.eml': (name, content) =>
    bytesOf(message(Buffer.from(content), { name: plain(name), encoding: 'x-uuencode' })),
  'inline.eml': (name, content) =>
    bytesOf(`${MAIL_HEADER}\r\nHello\r\n${uuencoded(Buffer.from(content), plain(name))}\r\n`),
  'forwarded.eml': (name, content) =>
    bytesOf(
      `${MAIL_HEADER}Content-Type: message/rfc822\r\n\r\n${message(Buffer.from(content), { name: plain(name) })}`,
    ),
  'attached.eml': (name, content) =>
    bytesOf(
      message(bytesOf(message(Buffer.from(content), { name: plain(name), boundary: 'in' })), {
        name: 'm.eml',
      }),
    ),
  'binary.eml': (name, content) =>
    Buffer.concat([
      bytesOf(
        `${MAIL_HEADER}Content-Type: application/x;\r\n name="${plain(name)}"\r\nContent-Transfer-Encoding: binary\r\n\r\n`,
      ),
      Buffer.from(content),
    ]),
  'a.mbox': (name, content) => bytesOf(`From a Mon\n${message(Buffer.from(content), { name: plain(name) })}`),
  'stored.pdf': (name, content) => pdfWithFile(plain(name), content),
  'packed.pdf': (name, content) => pdfWithFile(plain(name), content, '/Filter/FlateDecode', deflateSync),
}

for (const [container, hold] of Object.entries(CONTAINERS)) {
  test(`what is hidden in ${container} is found`, async () => {
    for (const [name, content, finding] of PAYLOADS) {
      const found = noticed(await examine({ [container]: hold(name, content) }))
      assert.ok(
        found.some((one) => one.startsWith(`${finding} ${container}`)),
        `${name}: ${found.join(', ')}`,
      )
    }
  })
}

test('programs under system names are found in an uploaded archive, what systems create is left out', async () => {
  const double = Buffer.from('0005160700020000', 'hex')
  assert.deepEqual(
    noticed(
      await examine({
        'a.zip': zipOf({
          'Thumbs.db': EXE,
          '__MACOSX/._b.exe': double,
          '__MACOSX/._c.txt': double,
          '~$d.docx': 'x',
          'e.txt': 'x',
        }),
        'f.tar': tarOf({ '._b.zip': double, '~$d.docx': Buffer.alloc(162, 7), '.DS_Store': double }),
      }),
    ),
    ['danger executable_content a.zip/Thumbs.db', 'danger executable_content a.zip/__MACOSX/._b.exe'],
  )
})

/** `\\objdata` with an OLE 1.0 header and the content of a package. */
const rtfPackage = (name: string, content: string | Uint8Array): string =>
  `{\\rtf1{\\object\\objemb{\\*\\objdata 0105000002000000080000005061636b616765000000000000000000${ole10Native(name, content).toString('hex')}}}}`

test('what is not taken apart is marked, and a program in it is found', async () => {
  for (const [container, contain] of Object.entries({
    'winmail.dat': (content: string | Uint8Array) => tnef('a.txt', content, true),
    'tnef.eml': (content: string | Uint8Array) =>
      bytesOf(message(tnef('a.txt', content, true), { name: 'winmail.dat' })),
    'object.one': (content: string | Uint8Array) => oneNote('a.txt', content),
    'object.rtf': (content: string | Uint8Array) => bytesOf(rtfPackage('a.txt', content)),
    'package.docx': (content: string | Uint8Array) =>
      openXml('docx', { 'word/embeddings/oleObject1.bin': olePackage('a.txt', content) }),
    'package.xls': (content: string | Uint8Array) =>
      compound({ Workbook: 'x', MBD1: { '\u0001Ole10Native': ole10Native('a.txt', content) } }),
    'part.odt': (content: string | Uint8Array) =>
      openDocument('text', { 'Object 1': olePackage('a.txt', content) }),
    'signed.p7m': (content: string | Uint8Array) =>
      Buffer.concat([
        Buffer.from('30820400 0609 2a864886f70d010702'.replaceAll(' ', ''), 'hex'),
        Buffer.from(content),
      ]),
  })) {
    const honest = noticed(await examine({ [container]: contain('text') }))
    assert.ok(
      honest.every((one) => one.startsWith('notice')),
      honest.join(', '),
    )
    assert.ok(
      honest.some((one) => one.startsWith(`notice partly_examined ${container}`)),
      honest.join(', '),
    )
    const hostile = noticed(await examine({ [container]: contain(EXE) }))
    assert.ok(
      hostile.some((one) => one.startsWith(`danger executable_content ${container}`)),
      hostile.join(', '),
    )
  }
})
