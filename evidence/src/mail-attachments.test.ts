import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codes, examine, noticed } from '../test/examine.ts'
import { bytesOf, openXml, pdf, png, zipOf } from '../test/evidence-samples.ts'
import { eicarString } from './detect/find-bytes.ts'

const EXE = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(200)])
const HEADER =
  'From: a@example.com\r\nTo: b@example.com\r\nDate: Mon, 1 Jun 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n'

const ENCODERS = {
  base64: (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  'quoted-printable': (bytes: Uint8Array) =>
    Array.from(bytes, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join('')
      .replaceAll(/.{72}/g, '$&=\r\n'),
  'x-uuencode': uuencoded,
}

const letter = (value: number): string => String.fromCharCode(32 + (value & 63))

function uuencoded(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += 45) {
    const part = Buffer.concat([bytes.subarray(at, at + 45), Buffer.alloc(2)])
    const length = Math.min(45, bytes.length - at)
    let line = letter(length)
    for (let index = 0; index < length; index += 3) {
      const bits = part.readUIntBE(index, 3)
      line += letter(bits >> 18) + letter(bits >> 12) + letter(bits >> 6) + letter(bits)
    }
    lines.push(line)
  }
  return `begin 644 a.bin\r\n${lines.join('\r\n')}\r\n\`\r\nend`
}

function message(
  content: Uint8Array,
  { encoding = 'base64' as keyof typeof ENCODERS, name = 'report.pdf', boundary = '=_b 1' } = {},
): string {
  return `${HEADER}Content-Type: multipart/mixed;\r\n boundary="${boundary}"\r\n\r\n--${boundary}\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n-- \r\nA\r\n--${boundary}\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${ENCODERS[encoding](content)}\r\n--${boundary}--\r\n`
}

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
  assert.deepEqual(codes(await examine({ 'a.eml': message(EXE) })), ['executable_content a.eml'])
  const archive = message(zipOf({ 'a/b.txt': EXE }))
  const cut = archive.replace(/(?<=base64\r\n\r\n.{20})/, '\r\n-- \r\n')
  assert.deepEqual(codes(await examine({ 'a.eml': cut })), ['executable_content a.eml/report.pdf/a/b.txt'])
})

test('ordinary and damaged attachments are accepted as they were received', async () => {
  for (const content of [
    pdf(),
    png(),
    png().subarray(0, 40),
    zipOf({ 'a.csv': 'a,b\n' }),
    bytesOf('{"a":'),
    new Uint8Array(),
  ]) {
    for (const encoding of ['base64', 'quoted-printable', 'x-uuencode'] as const) {
      const found = await examine({ 'a.eml': message(content, { encoding }), 'b/c.eml': message(content) })
      assert.deepEqual(noticed(found), [])
    }
  }
})

test('messages in messages are looked into up to a depth', async () => {
  let inner = bytesOf(message(bytesOf('text')))
  for (let level = 0; level < 2; level++) inner = bytesOf(message(inner, { name: 'a.eml' }))
  assert.deepEqual(codes(await examine({ 'a.eml': inner })), [])
  for (let level = 0; level < 3; level++) inner = bytesOf(message(inner, { name: 'a.eml' }))
  assert.match(codes(await examine({ 'a.eml': inner }))[0] ?? '', /^nested_too_deep /)
})
