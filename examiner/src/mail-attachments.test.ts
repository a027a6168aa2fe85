import assert from 'node:assert/strict'
import { test } from 'node:test'
import { message } from '../test/mail-samples.ts'
import { windowsProgram } from '../test/program-samples.ts'
import { codes, examine, noticed } from '../test/examine.ts'
import { bytesOf, openXml, pdf, png, zipOf } from '../test/evidence-samples.ts'
import { eicarString } from './search/find-bytes.ts'

const EXE = windowsProgram()
test('programs, macros and keys in attachments are found, in archives and documents too, whatever the encoding', async () => {
  const key = `-----BEGIN ${'PRIVATE KEY'}-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'.repeat(4)}\n-----END ${'PRIVATE KEY'}-----\n`
  const cases: readonly (readonly [Uint8Array, string])[] = [
    [zipOf({ 'a/b.txt': EXE }), 'executable_content a.eml/report.pdf/a/b.txt'],
    [openXml('docx', { 'word/vbaProject.bin': 'x' }), 'macros a.eml/report.pdf'],
    [bytesOf(key), 'private_key a.eml/report.pdf'],
    [zipOf({ '../a.txt': 'x' }), 'name_traversal a.eml/report.pdf/../a.txt'],
    [
      bytesOf(message(zipOf({ 'a.txt': eicarString() }), { boundary: 'inner' })),
      'test_virus a.eml/in.eml/report.pdf/a.txt',
    ],
  ]
  for (const encoding of ['base64', 'quoted-printable', 'x-uuencode'] as const) {
    for (const [content, expected] of cases) {
      const name = expected.includes('in.eml') ? 'in.eml' : 'report.pdf'
      assert.deepEqual(
        codes(await examine({ 'a.eml': message(content, { encoding, name }) })),
        [expected],
        encoding,
      )
    }
  }
  const inBox = `From a@example.com Mon Jun  1 10:00:00 2026\n${message(zipOf({ 'b.txt': EXE }))}`
  assert.deepEqual(codes(await examine({ 'a.mbox': inBox })), ['executable_content a.mbox/report.pdf/b.txt'])
})

test('a program is reported once, and a line of dashes does not end an attachment', async () => {
  assert.deepEqual(codes(await examine({ 'a.eml': message(EXE) })), ['executable_content a.eml/report.pdf'])
  const archive = message(zipOf({ 'a/b.txt': EXE }))
  const cut = archive.replace(/(?<=base64\r\n\r\n.{20})/, '\r\n-- \r\n')
  assert.deepEqual(codes(await examine({ 'a.eml': cut })), ['executable_content a.eml/report.pdf/a/b.txt'])
})

test('ordinary and damaged attachments are accepted as they were received', async () => {
  for (const [name, content] of Object.entries({
    'a.pdf': pdf(),
    'a.png': png(),
    'a.zip': zipOf({ 'a.csv': 'a,b\n' }),
  })) {
    for (const encoding of ['base64', 'quoted-printable', 'x-uuencode'] as const) {
      const found = await examine({ 'a.eml': message(content, { encoding, name }) })
      assert.deepEqual(noticed(found), [])
    }
  }
})

test('damage in attachments is a notice, and so are scripts', async () => {
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ['a.png', png().subarray(0, 40), 'notice partly_examined a.eml/a.png'],
    ['a.js', bytesOf('alert(1)'), 'notice script_content a.eml/a.js'],
  ]
  for (const [name, content, expected] of cases)
    assert.deepEqual(noticed(await examine({ 'a.eml': message(content, { name }) })), [expected])
})

test('messages in messages are looked into up to a depth', async () => {
  let inner = bytesOf(message(bytesOf('text')))
  for (let level = 0; level < 2; level++) inner = bytesOf(message(inner, { name: 'a.eml' }))
  assert.deepEqual(codes(await examine({ 'a.eml': inner })), [])
  for (let level = 0; level < 12; level++) inner = bytesOf(message(inner, { name: 'a.eml' }))
  assert.match(codes(await examine({ 'a.eml': inner }))[0] ?? '', /^nested_too_deep /)
})
