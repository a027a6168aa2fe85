// Small valid files of each type, generated so that no binary fixtures are needed.
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'
import {
  type Archive,
  archiveBytes,
  type Entry,
  folderEntry,
  storedEntry,
  u16,
  u32,
} from '../../test/forge/archive.ts'

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')

export type Contents = Readonly<Record<string, string | Uint8Array>>

const asBytes = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? bytesOf(content) : content

export function deflated(name: string, content: string | Uint8Array): Entry {
  const bytes = asBytes(content)
  const entry = storedEntry(name, bytes)
  const data = deflateRawSync(bytes)
  return { ...entry, data, header: { ...entry.header, method: 8, compressedBytes: data.length } }
}

export function stored(name: string, content: string | Uint8Array): Entry {
  return storedEntry(name, asBytes(content))
}

/** A ZIP of deflated files; names that end in "/" are folders. */
export function zipOf(files: Contents, change: (archive: Archive) => void = () => undefined): Uint8Array {
  const archive: Archive = {
    entries: Object.entries(files).map(([name, content]) =>
      name.endsWith('/') ? folderEntry(name) : deflated(name, content),
    ),
  }
  change(archive)
  return archiveBytes(archive)
}

export function zipOfEntries(...entries: Entry[]): Uint8Array {
  return archiveBytes({ entries })
}

const PDF_OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
]

/** A PDF with a cross-reference table and additional trailer entries. */
export function pdf(trailer = ''): Uint8Array {
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = PDF_OBJECTS.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const xref = text.length
  text += `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`
  for (const at of offsets) text += `${String(at).padStart(10, '0')} 00000 n \n`
  text += `trailer\n<</Size ${offsets.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${xref}\n%%EOF\n`
  return latin1(text)
}

/** A PDF with a cross-reference stream, as in version 1.5 and later. */
export function pdfWithXrefStream(members = ''): Uint8Array {
  let text = '%PDF-1.5\n%\xe2\xe3\xcf\xd3\n'
  for (const [index, object] of PDF_OBJECTS.entries()) text += `${index + 1} 0 obj\n${object}\nendobj\n`
  const at = text.length
  text += `4 0 obj\n<</Type/XRef/W[1 2 1]/Size 5/Root 1 0 R/Length 20${members}>>\nstream\n${'\0'.repeat(20)}\nendstream\nendobj\n`
  text += `startxref\n${at}\n%%EOF`
  return latin1(text)
}

export function png(): Uint8Array {
  const header = Buffer.concat([Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 0])])
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 1, 2, 0, 3, 4]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([latin1(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

const segment = (marker: number, data: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]), data])

/** A JPEG with valid markers and segments, and arbitrary image data. */
export function jpeg(picture: Uint8Array = Buffer.from([0x12, 0xff, 0x00, 0x34])): Uint8Array {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, latin1('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    picture,
    Buffer.from([0xff, 0xd9]),
  ])
}

const tag = (id: number, value: number): Uint8Array => Buffer.concat([u16(id, 3), u32(1, value)])

export function tiff(): Uint8Array {
  return Buffer.concat([latin1('II*\0'), u32(8), u16(2), tag(256, 1), tag(257, 1), u32(0)])
}

const CONTENT_TYPES = {
  docx: ['/word/document.xml', 'wordprocessingml.document.main+xml'],
  xlsx: ['/xl/workbook.xml', 'spreadsheetml.sheet.main+xml'],
  pptx: ['/ppt/presentation.xml', 'presentationml.presentation.main+xml'],
} as const

export function openXmlParts(type: keyof typeof CONTENT_TYPES): Record<string, string | Uint8Array> {
  const [part, main] = CONTENT_TYPES[type]
  return {
    '[Content_Types].xml':
      '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${main}"/></Types>`,
    '_rels/.rels': '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>',
    [part.slice(1)]: '<document/>',
  }
}

export function openXml(type: keyof typeof CONTENT_TYPES, more: Contents = {}): Uint8Array {
  return zipOf({ ...openXmlParts(type), ...more })
}

export function openDocument(type: 'text' | 'spreadsheet' | 'presentation', more: Contents = {}): Uint8Array {
  const parts = {
    'content.xml': '<office:document-content/>',
    'META-INF/manifest.xml': '<manifest:manifest/>',
    ...more,
  }
  const mimetype = stored('mimetype', `application/vnd.oasis.opendocument.${type}`)
  return zipOfEntries(mimetype, ...Object.entries(parts).map(([name, content]) => deflated(name, content)))
}

/** A Compound File with these directory entries. */
export function compoundFile(...names: readonly string[]): Uint8Array {
  const header = Buffer.alloc(512, 0xff)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(9, 30)
  header.writeUInt32LE(1, 48) // the directory starts in sector 1
  header.writeUInt32LE(0, 76) // sector 0 is the table
  const table = Buffer.alloc(512, 0xff)
  table.writeUInt32LE(0xfffffffd, 0)
  const sectors = Math.ceil((names.length + 1) / 4)
  for (let sector = 1; sector <= sectors; sector++) {
    table.writeUInt32LE(sector === sectors ? 0xfffffffe : sector + 1, sector * 4)
  }
  const directory = Buffer.alloc(sectors * 512)
  for (const [index, name] of ['Root Entry', ...names].entries()) {
    directory.write(name, index * 128, 'utf16le')
    directory.writeUInt16LE(name.length * 2 + 2, index * 128 + 64)
  }
  return Buffer.concat([header, table, directory])
}

export const EML =
  'From: a@example.com\r\nTo: b@example.com\r\nDate: Mon, 1 Jun 2026 10:00:00 +0000\r\nSubject: review\r\n\r\nDone.\r\n'

/** One valid file of each supported type. */
export const SOUND_FILES: Contents = {
  'a.pdf': pdf(),
  'b.pdf': pdfWithXrefStream(),
  'a.docx': openXml('docx'),
  'a.xlsx': openXml('xlsx'),
  'a.pptx': openXml('pptx'),
  'a.odt': openDocument('text'),
  'a.ods': openDocument('spreadsheet'),
  'a.png': png(),
  'a.jpg': jpeg(),
  'a.tiff': tiff(),
  'a.csv': 'id,name\n1,"a ""b"", c"\n2,"two\nlines"\n',
  'a.tsv': 'id\tname\n1\t"a\n',
  'a.txt': 'Grüße\n',
  'a.log': '\u001b[31mred\u001b[0m\n',
  'a.md': '# title\n',
  'a.json': '{"a":[1.5e10,true,null,"\\u00e9"],"a":{}}',
  'a.ndjson': '{"a":1}\n{"a":2}\n',
  'a.xml': '<?xml version="1.0"?><a b="c">&amp;</a>',
  'a.yaml': 'a: &x [1, 2]\nb: *x\n',
  'a.eml': EML,
  'a.html': '<!doctype html><title>a</title><p>b',
  README: 'no ending\n',
}
