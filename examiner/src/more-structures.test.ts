import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contents, openDocument, openXml, zipOf } from '../test/evidence-samples.ts'
import { codes, examine, noticed } from '../test/examine.ts'

const found = async (files: Contents): Promise<readonly string[]> => noticed(await examine(files))
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** One pixel, with a color table. */
const GIF = hex(
  '474946383961 0100 0100 80 00 00 000000 ffffff 21f904 00000000 00 2c 00000000 01000100 00 02 02 4c01 00 3b',
)

function webp(data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from('VP8 '), u32(data.length), data])
  return Buffer.concat([Buffer.from('RIFF'), u32(4 + chunk.length), Buffer.from('WEBP'), chunk])
}

function box(type: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + content.length)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, content])
}

const HEIC = Buffer.concat([
  box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
  box('meta', Buffer.alloc(40)),
  box('mdat', Buffer.alloc(100, 7)),
])
const AVIF = Buffer.concat([
  box('ftyp', Buffer.from('avif\0\0\0\0mif1', 'latin1')),
  box('meta', Buffer.alloc(9)),
])

const packet = (content: Uint8Array): Buffer =>
  Buffer.concat([u32(1), u32(2), u32(content.length), u32(content.length), content])
const PCAP = Buffer.concat([
  hex('d4c3b2a1 0200 0400 00000000 00000000 00000400 01000000'),
  packet(Buffer.alloc(60, 1)),
  packet(Buffer.alloc(70, 2)),
])

const ngBlock = (type: number, content: Uint8Array): Buffer =>
  Buffer.concat([u32(type), u32(12 + content.length), content, u32(12 + content.length)])
const PCAPNG = Buffer.concat([
  ngBlock(0x0a0d0d0a, Buffer.concat([hex('4d3c2b1a 01000000'), Buffer.alloc(8, 255)])),
  ngBlock(6, Buffer.alloc(80)),
])

function evtx(chunks: number, stated = chunks): Buffer {
  const header = Buffer.alloc(4096)
  header.write('ElfFile\0', 0, 'latin1')
  header.writeUInt16LE(stated, 42)
  return Buffer.concat([header, Buffer.alloc(chunks * 65_536)])
}

const PKCS7 = Buffer.concat([hex('3081 8b 0609 2a864886f70d010702'), Buffer.alloc(0x8b - 11, 1)])
const PKCS7_BER = Buffer.concat([hex('3080 0609 2a864886f70d010702'), Buffer.alloc(200, 1), hex('0000')])

const GOOD: Contents = {
  'a.gif': GIF,
  'b.webp': webp(Buffer.alloc(30, 3)),
  'c.heic': HEIC,
  'd.avif': AVIF,
  'e.pcap': PCAP,
  'f.pcapng': PCAPNG,
  'g.evtx': evtx(2, 1),
  'h.p7s': PKCS7,
  'i.p7m': PKCS7_BER,
  'j.odp': openDocument('presentation'),
  'k.vsdx': visio(),
}

function visio(parts: Contents = {}): Uint8Array {
  const main = 'application/vnd.ms-visio.drawing.main+xml'
  return zipOf({
    '[Content_Types].xml': `<Types><Override PartName="/visio/document.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': '<Relationships/>',
    'visio/document.xml': '<VisioDocument/>',
    ...parts,
  })
}

test('whole images, captures, event logs, signatures and drawings are examined without a finding', async () => {
  const result = await examine(GOOD)
  assert.deepEqual(noticed(result), [])
  assert.deepEqual(
    result.files.map(({ type }) => type.id),
    ['gif', 'webp', 'heic', 'avif', 'pcap', 'pcapng', 'evtx', 'pkcs7', 'pkcs7', 'odp', 'vsdx'],
  )
})

test('truncated images, signatures and drawings are damage; captures and event logs have a notice', async () => {
  const cut = Object.entries(GOOD).map(([name, bytes]) => {
    const length = name === 'g.evtx' ? 50_000 : Math.ceil(bytes.length * 0.7)
    return [name, (bytes as Uint8Array).subarray(0, length)] as const
  })
  assert.deepEqual(await found(Object.fromEntries(cut)), [
    'damage malformed_image a.gif',
    'damage malformed_image b.webp',
    'damage malformed_image c.heic',
    'damage malformed_image d.avif',
    'damage malformed_signature h.p7s',
    'damage malformed_signature i.p7m',
    'damage malformed_office j.odp',
    'damage malformed_office k.vsdx',
    'notice malformed_capture e.pcap',
    'notice malformed_capture f.pcapng',
    'notice malformed_capture g.evtx',
  ])
})

test('programs and archives behind an image, and macros in drawings and presentations, are dangers', async () => {
  const program = Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(100)])
  const archive = zipOf({ 'a.txt': 'text' })
  const result = await examine({
    'a.gif': Buffer.concat([GIF, program]),
    'b.webp': Buffer.concat([webp(Buffer.alloc(30, 3)), archive]),
    'c.heic': Buffer.concat([HEIC, archive]),
    'j.odp': openDocument('presentation', { 'Basic/Standard/Module1.xml': '<x/>' }),
    'k.vsdx': visio({ 'visio/vbaProject.bin': 'x' }),
  })
  assert.deepEqual(codes(result), [
    'appended_content a.gif',
    'appended_content b.webp',
    'appended_content c.heic',
    'malformed_image c.heic',
    'macros j.odp',
    'macros k.vsdx',
  ])
})

test('lengths that lie end the check: no loops, no reads outside of the file', async () => {
  const zeros = Buffer.concat([HEIC.subarray(0, 24), Buffer.alloc(2_000_000)])
  const lies: Contents = {
    'a.gif': Buffer.concat([GIF.subarray(0, 19), Buffer.alloc(100_000, 0x21)]),
    'b.webp': Buffer.concat([
      Buffer.from('RIFF'),
      u32(0xfffffff0),
      Buffer.from('WEBPVP8 '),
      u32(0xffffffff),
      u32(0),
    ]),
    'c.heic': zeros,
    'd.avif': Buffer.concat([AVIF, hex('00000001 6d646174 ffffffffffffffff')]),
    'e.pcap': Buffer.concat([PCAP, u32(0), u32(0), u32(0xffffffff), u32(0)]),
    'f.pcapng': Buffer.concat([PCAPNG, u32(6), u32(0), u32(0)]),
    'g.evtx': evtx(0, 65_535),
    'h.p7s': hex('3086 ffffffffffff 0609 2a864886f70d010702'),
  }
  assert.deepEqual(await found(lies), [
    'damage malformed_image a.gif',
    'damage malformed_image b.webp',
    'damage malformed_image c.heic',
    'damage malformed_signature h.p7s',
    'notice malformed_capture e.pcap',
    'notice malformed_capture f.pcapng',
    'notice malformed_capture g.evtx',
  ])
})

test('a capture that ends with a download of an archive is accepted', async () => {
  assert.deepEqual(await found({ 'a.pcap': Buffer.concat([PCAP, packet(zipOf({ 'a.txt': 'text' }))]) }), [])
})

test('an office file under another name is named, and a GIF with other content is damage', async () => {
  assert.deepEqual(await found({ 'a.gif': Buffer.concat([Buffer.alloc(500, 0x81), Buffer.alloc(9)]) }), [
    'damage malformed_image a.gif',
  ])
  assert.deepEqual(await found({ 'a.odp': openXml('pptx') }), ['notice type_mismatch a.odp'])
})
