import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { jpeg } from '../../examiner/test/evidence-samples.ts'

export interface Sample {
  readonly name: string
  readonly title: string
  readonly goalMbPerSecond: number
  /** One piece of about a megabyte, which is repeated. */
  readonly content: (sizeBytes: number) => Uint8Array
}

const WORDS =
  'request accepted worker session user report checked by policy in Zürich with status and trace'.split(' ')
const LEVELS = ['INFO', 'WARN', 'DEBUG', 'ERROR']
const word = (index: number): string => WORDS[(index * 7919) % WORDS.length] ?? ''
const id = (index: number): string => ((index * 2_654_435_761) >>> 0).toString(16).padStart(8, '0')
const time = (index: number): string => new Date(1_780_000_000_000 + index * 1371).toISOString()

/** Ordinary evidence, as programs write it. */
export const SAMPLES: readonly Sample[] = [
  text(
    'a.log',
    'log',
    (index) =>
      `${time(index)} ${LEVELS[index % 4]} [worker-${index % 16}] ${word(index)} ${word(index + 1)} ${word(index + 2)} id=${id(index)} path=/api/v1/items/${index} took ${index % 997} ms\n`,
  ),
  text(
    'a.txt',
    'text in German',
    (index) =>
      `Die Prüfung ${index} wurde für die Geräte in Zürich durchgeführt; ${word(index)} gemäß Übersicht ${id(index)}.\n`,
  ),
  text(
    'a.csv',
    'CSV',
    (index) =>
      `${index},"${word(index)} ""${word(index + 1)}""",${time(index)},${index % 997}.${index % 10},${id(index)},user${index}@example.com,"${word(index + 2)}, ${word(index + 3)}"\n`,
  ),
  text('a.ndjson', 'JSON Lines', (index) => `${JSON.stringify(record(index))}\n`),
  {
    name: 'a.json',
    title: 'JSON',
    goalMbPerSecond: 200,
    content: (sizeBytes) =>
      Buffer.concat([
        Buffer.from('[\n'),
        lines(sizeBytes, (index) => `${JSON.stringify(record(index), null, 2)},\n`),
        Buffer.from('null]\n'),
      ]),
  },
  {
    name: 'a.xml',
    title: 'XML',
    goalMbPerSecond: 200,
    content: (sizeBytes) =>
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<events>\n'),
        lines(
          sizeBytes,
          (index) =>
            `  <event id="${index}" level="${LEVELS[index % 4]}">\n    <time>${time(index)}</time>\n    <message>${word(index)} ${word(index + 1)} &amp; ${word(index + 2)}</message>\n    <trace ref="${id(index)}"/>\n  </event>\n`,
        ),
        Buffer.from('</events>\n'),
      ]),
  },
  text('a.yaml', 'YAML', yamlItem),
  text(
    'a.html',
    'HTML',
    (index) =>
      `<tr class="row"><td>${index}</td><td>${word(index)} ${word(index + 1)}</td><td>${id(index)}</td></tr>\n`,
  ),
  text('a.eml', 'mail with an attachment', (index) =>
    index === 0 ? MAIL : `${randomBytes(57).toString('base64')}\r\n`,
  ),
  { name: 'a.png', title: 'PNG', goalMbPerSecond: 100, content: pngOf },
  { name: 'a.jpg', title: 'JPEG', goalMbPerSecond: 100, content: (sizeBytes) => jpeg(scanData(sizeBytes)) },
  { name: 'a.pdf', title: 'PDF', goalMbPerSecond: 100, content: pdfOf },
]

const MAIL =
  'From: a@example.com\r\nTo: b@example.com\r\nDate: Mon, 1 Jun 2026 10:00:00 +0000\r\nSubject: report\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n'

function text(name: string, title: string, line: (index: number) => string): Sample {
  return { name, title, goalMbPerSecond: 200, content: (sizeBytes) => lines(sizeBytes, line) }
}

function record(index: number): object {
  return {
    id: index,
    time: time(index),
    level: LEVELS[index % 4],
    message: `${word(index)} ${word(index + 1)} "${word(index + 2)}"`,
    took: (index % 997) / 10,
    labels: [word(index + 3), id(index)],
    ok: index % 3 === 0,
    parent: null,
  }
}

function yamlItem(index: number): string {
  return `- name: ${word(index)}-${index}\n  image: app.example.com/app:${id(index)}\n  enabled: true\n  env:\n    - key: LEVEL\n      value: "${LEVELS[index % 4]}"\n  ports: [80, ${8000 + (index % 1000)}]\n`
}

function lines(sizeBytes: number, line: (index: number) => string): Uint8Array {
  const parts: Buffer[] = []
  let length = 0
  for (let index = 0; length < sizeBytes; index++) {
    const part = Buffer.from(line(index))
    parts.push(part)
    length += part.length
  }
  return Buffer.concat(parts)
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function pngOf(sizeBytes: number): Uint8Array {
  const header = Buffer.from([0, 0, 16, 0, 0, 0, 16, 0, 8, 2, 0, 0, 0])
  const data = Array.from({ length: Math.ceil(sizeBytes / 8192) }, () => pngChunk('IDAT', randomBytes(8192)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...data,
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Random image data, with each 0xff followed by a zero as encoders write it. */
function scanData(sizeBytes: number): Uint8Array {
  const bytes = randomBytes(sizeBytes)
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at + 1)) bytes[at + 1] = 0
  return bytes
}

function pdfOf(sizeBytes: number): Uint8Array {
  const parts: Buffer[] = []
  const offsets: number[] = []
  let length = 0
  const add = (part: Buffer): void => {
    parts.push(part)
    length += part.length
  }
  const object = (head: string, stream?: Uint8Array): void => {
    offsets.push(length)
    add(Buffer.from(`${offsets.length} 0 obj\n${head}\n`))
    if (stream !== undefined)
      add(Buffer.concat([Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')]))
    add(Buffer.from('endobj\n'))
  }
  add(Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1'))
  object('<</Type/Catalog/Pages 2 0 R>>')
  object('<</Type/Pages/Kids[3 0 R]/Count 1>>')
  object('<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>')
  for (let at = 0; at < sizeBytes; at += 100_000) object('<</Length 100000>>', randomBytes(100_000))
  const xref = length
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const count = offsets.length + 1
  add(Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<</Size ${count}/Root 1 0 R>>\n`))
  add(Buffer.from(`startxref\n${xref}\n%%EOF\n`))
  return Buffer.concat(parts)
}
