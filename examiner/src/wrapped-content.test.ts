import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { compound, outlookMessage, vbaBin } from '../test/compound-samples.ts'
import { type Contents, openDocument, openXml, pdf, zipOf } from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'
import { message, tnef } from '../test/mail-samples.ts'
import { cms, compressedRtf, octets, wrapped } from '../test/wrapped-samples.ts'

const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))
const EXE = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)])
const PLAIN = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}}\pard Hello\par}`
const LINKED = String.raw`{\rtf1{\object\objautlink\objupdate{\*\objdata 0105}}}`
const TEMPLATE = String.raw`{\rtf1{\*\template http://example.com/a.dotm}}`

const body = (rtf: string, runs?: boolean): Contents => ({
  [`${runs === true ? 'runs' : 'plain'}.msg`]: outlookMessage({}, true, compressedRtf(rtf, runs)),
})

test('the compressed body of an Outlook message is examined as RTF, in MSG and in winmail.dat', async () => {
  assert.deepEqual(await found({ ...body(PLAIN), ...body(PLAIN, true) }), [])
  assert.deepEqual(await found({ ...body(LINKED), ...body(LINKED, true) }), [
    'danger embedded_object plain.msg/body 1.rtf',
    'danger embedded_object runs.msg/body 1.rtf',
  ])
  assert.deepEqual(await found(body(TEMPLATE, true)), ['notice active_content runs.msg/body 1.rtf'])
  const stored = Buffer.concat([Buffer.alloc(8), Buffer.from('MELA'), Buffer.alloc(4), Buffer.from(LINKED)])
  assert.deepEqual(
    await found({
      'winmail.tnef': tnef('a.txt', 'text', true, compressedRtf(LINKED, true)),
      'plain.tnef': tnef('a.txt', 'text', true, compressedRtf(PLAIN, true)),
      'stored.msg': outlookMessage({}, true, stored),
    }),
    ['danger embedded_object stored.msg/body 1.rtf', 'danger embedded_object winmail.tnef/body 1.rtf'],
  )
})

test('a compressed body that lies about its size, or ends early, is unpacked as far as it goes', async () => {
  const whole = compressedRtf(LINKED, true)
  for (const length of [0, 10, 16, 17, whole.length - 3])
    assert.deepEqual(
      (await found({ 'a.msg': outlookMessage({}, true, whole.subarray(0, length)) })).filter(
        (one) => !one.includes('embedded_object'),
      ),
      [],
    )
  const bomb = Buffer.concat([whole.subarray(0, 16), Buffer.alloc(170_000, 0xff)])
  assert.deepEqual(await found({ 'a.msg': outlookMessage({}, true, bomb) }), [])
})

const mail = (content: Uint8Array): string => message(content, { name: 'run.txt' })

const signed = (content: Uint8Array | string, isBer = false): Buffer =>
  cms('signed', octets(Buffer.from(content), isBer), isBer)

test('what a signed message contains is examined, whether in DER or BER, compressed, in PEM or attached', async () => {
  const macros = openXml('docx', { 'word/vbaProject.bin': vbaBin() })
  assert.deepEqual(
    await found({
      'a.p7m': signed(mail(EXE)),
      'b.p7m': signed(mail(EXE), true),
      'contract.docx.p7m': signed(macros),
      'c.p7m': cms('compressed', octets(deflateSync(mail(EXE)), false), false),
      'd.eml': message(signed(mail(EXE)), { name: 'smime.p7m' }),
      'e.p7m': `-----BEGIN PKCS7-----\n${wrapped(signed(mail(EXE)))}\n-----END PKCS7-----\n`,
      'f.p7m': `MIME-Version: 1.0\nContent-Transfer-Encoding: base64\nContent-Type: application/pkcs7-mime\n\n${wrapped(signed(mail(EXE)))}\n`,
    }),
    [
      'danger executable_content a.p7m/content.eml/run.txt',
      'danger executable_content b.p7m/content.eml/run.txt',
      'danger executable_content c.p7m/content.eml/run.txt',
      'danger macros contract.docx.p7m/contract.docx/word/vbaProject.bin',
      'danger executable_content d.eml/smime.p7m/content.eml/run.txt',
      'danger executable_content e.p7m/message 1.p7m/content.eml/run.txt',
      'danger executable_content f.p7m/message 1.p7m/content.eml/run.txt',
    ],
  )
})

test('honest signed messages, detached signatures and time stamps have no finding', async () => {
  assert.deepEqual(
    await found({
      'a.p7m': cms('signed', octets(Buffer.from(mail(Buffer.from('text'))), true), true),
      'b.pdf.p7m': cms('signed', octets(Buffer.from(pdf()), false), false),
      'c.p7s': cms('signed', undefined, false),
      'd.p7s': cms('signed', octets(EXE, false), false, 'time stamp'),
    }),
    [],
  )
})

test('an encrypted message is damage, and in a message a notice', async () => {
  const locked = cms('enveloped', octets(Buffer.alloc(40, 7), false), false)
  assert.deepEqual(
    await found({
      'a.p7m': locked,
      'b.p7m': cms('authEnveloped', undefined, false),
      'c.eml': message(locked, { name: 'smime.p7m' }),
    }),
    [
      'damage encrypted_content a.p7m',
      'damage encrypted_content b.p7m',
      'notice partly_examined c.eml/smime.p7m',
    ],
  )
})

test('signed messages in each other are opened up to a depth, and damaged ones end', async () => {
  let nested: Buffer = Buffer.from('text')
  for (let level = 0; level < 30; level++) nested = cms('signed', octets(nested, true), true)
  assert.match((await found({ 'a.p7m': nested }))[0] ?? '', /^danger nested_too_deep /)
  const deep = Buffer.concat([cms('signed', undefined, true).subarray(0, 15), Buffer.alloc(100_000, 0x24)])
  const started = performance.now()
  await found({
    'a.p7m': deep,
    'b.p7m': Buffer.concat([deep.subarray(0, 15), Buffer.alloc(200_000, Buffer.from('2480', 'hex'))]),
  })
  assert.ok(performance.now() - started < 10_000)
})

const word = (flags: number): Buffer => {
  const header = Buffer.alloc(600)
  header.writeUInt16LE(0xa5ec, 0)
  header.writeUInt16LE(flags, 10)
  return compound({ WordDocument: header, '1Table': 'x' })
}

const user = (token: string): Buffer => Buffer.from(`0000f60f1400000014000000${token}`, 'hex')

const legacy = (name: string): string => `notice legacy_office ${name}`

test('Word and PowerPoint files with a password are damage, others are not', async () => {
  assert.deepEqual(
    await found({
      'a.doc': word(0x0100),
      'b.doc': word(0x1200),
      'c.doc': word(0x8100),
      'd.ppt': compound({ 'PowerPoint Document': 'x', 'Current User': user('dfc4d1f3') }),
      'e.ppt': compound({ 'PowerPoint Document': 'x', 'Current User': user('5fc091e3') }),
      'f.ppt': compound({ 'PowerPoint Document': 'x', EncryptedSummary: 'x' }),
    }),
    [
      ...['a.doc', 'c.doc', 'd.ppt', 'f.ppt'].map((name) => `damage encrypted_office ${name}`),
      ...['a.doc', 'b.doc', 'c.doc', 'd.ppt', 'e.ppt', 'f.ppt'].map(legacy),
    ],
  )
})

const wide = (text: string, isBig = false): Buffer => {
  const bytes = Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

test('XML in UTF-16 is read without a byte order mark, alone and in Office files', async () => {
  const template =
    '<Relationships><Relationship Id="r1" Type="http://x/attachedTemplate" Target="http://x/a" TargetMode="External"/></Relationships>'
  for (const isBig of [false, true])
    assert.deepEqual(
      await found({
        'a.docx': openXml('docx', { 'word/_rels/settings.xml.rels': wide(template, isBig) }),
        'b.svg': wide('<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>', isBig),
        'c.xml': wide('<a><b>text</b></a>', isBig),
        'd.xml': wide('<a><b>', isBig),
        'e.odt': openDocument('text', {
          'META-INF/manifest.xml': wide('<manifest><encryption-data /></manifest>', isBig),
        }),
      }),
      [
        'damage encrypted_office e.odt',
        'notice active_content a.docx/word/_rels/settings.xml.rels',
        'notice active_content b.svg',
        'notice text_encoding b.svg',
        'notice text_encoding c.xml',
        'notice malformed_xml d.xml',
        'notice text_encoding d.xml',
      ],
    )
})

test('a signed archive is examined like the archive itself', async () => {
  assert.deepEqual(
    await found({ 'a.zip.p7m': cms('signed', octets(Buffer.from(zipOf({ 'b/c.exe': EXE })), false), false) }),
    ['danger executable_content a.zip.p7m/a.zip/b/c.exe'],
  )
})
