// Ordinary evidence, as programs write it.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE_BYTES = 700_000
const time = (index: number): string => new Date(1_780_000_000_000 + index * 1371).toISOString()
const id = (index: number): string => ((index * 2_654_435_761) >>> 0).toString(16).padStart(8, '0')

const logLine = (index: number): string =>
  `${time(index)} host${index % 50} sshd[${1000 + (index % 9000)}]: Accepted publickey for user${index % 500} from 10.0.0.${index % 255} port ${1024 + (index % 60_000)} ssh2\n`

const tableRow = (index: number): string =>
  `${index},user${index % 5000}@example.com,role${index % 9},${time(index)},"Approved, by manager ${index % 99}"\n`

const jsonRecord = (index: number): string =>
  `${JSON.stringify({ id: index, time: time(index), level: 'INFO', message: `"request" ${id(index)} accepted`, took: (index % 997) / 10, labels: ['a', id(index)], ok: index % 3 === 0, parent: null }, null, 2)},\n`

/** Half logs, half CSV, of 700 kB each. */
export function writeLogs(folder: string, count: number): string {
  mkdirSync(folder)
  for (let at = 0; at < count; at++)
    if (at % 2 === 0) writeFileSync(join(folder, `${at}.log`), lines(FILE_BYTES, at, logLine))
    else
      writeFileSync(join(folder, `${at}.csv`), `id,mail,role,date,note\n${lines(FILE_BYTES, at, tableRow)}`)
  return folder
}

function lines(bytes: number, seed: number, line: (index: number) => string): string {
  const made: string[] = []
  for (let length = 0, index = seed; length < bytes; index++) {
    made.push(line(index))
    length += made.at(-1)?.length ?? 0
  }
  return made.join('')
}

/** A file of each type, of about so many bytes. */
export const SAMPLES: Readonly<Record<string, (file: string, bytes: number) => void>> = {
  log: (file, bytes) => writeFileSync(file, lines(bytes, 0, logLine)),
  csv: (file, bytes) => writeFileSync(file, `id,mail,role,date,note\n${lines(bytes, 0, tableRow)}`),
  json: (file, bytes) => writeFileSync(file, `[\n${lines(bytes, 0, jsonRecord)}null]\n`),
  pdf: (file, bytes) => writeFileSync(file, pdfOf(bytes)),
  docx: writeDocx,
}

/** Streams of random bytes, which compress as images do. */
function pdfOf(bytes: number): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (head: string, stream?: Buffer): void => {
    offsets.push(length)
    const body = stream === undefined ? [] : [Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')]
    const object = Buffer.concat([
      Buffer.from(`${offsets.length} 0 obj\n${head}\n`),
      ...body,
      Buffer.from('endobj\n'),
    ])
    parts.push(object)
    length += object.length
  }
  add('<</Type/Catalog/Pages 2 0 R>>')
  add('<</Type/Pages/Kids[3 0 R]/Count 1>>')
  add('<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>')
  for (let at = 0; at < bytes; at += 100_000) add('<</Length 100000>>', randomBytes(100_000))
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const count = offsets.length + 1
  const trailer = `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<</Size ${count}/Root 1 0 R>>\n`
  return Buffer.concat([...parts, Buffer.from(`${trailer}startxref\n${length}\n%%EOF\n`)])
}

/** A document of paragraphs, packed by Info-ZIP. */
function writeDocx(file: string, bytes: number): void {
  const folder = `${file}-parts`
  const parts = {
    '[Content_Types].xml':
      '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    '_rels/.rels':
      '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${lines(bytes * 6, 0, (index) => `<w:p><w:r><w:t>${time(index)} ${id(index)} reviewed by user${index % 500}</w:t></w:r></w:p>`)}</w:body></w:document>`,
  }
  for (const name of ['_rels', 'word']) mkdirSync(join(folder, name), { recursive: true })
  for (const [name, text] of Object.entries(parts)) writeFileSync(join(folder, name), text)
  execFileSync('zip', ['-q', '-X', '-r', file, '[Content_Types].xml', '_rels', 'word'], { cwd: folder })
  rmSync(folder, { recursive: true })
}
