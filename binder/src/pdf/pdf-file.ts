import { createHash } from 'node:crypto'
import { OWN, type StreamContent } from './compress.ts'
import { dict } from './pdf-values.ts'

/** A reference to an object, in PDF syntax. */
export type Ref = `${number} 0 R`

type StreamHead = Readonly<Record<string, string | number>>

/** Where an object is. */
export type FileEntry =
  | { readonly in: 'file'; readonly offset: number }
  | { readonly in: 'pack'; readonly pack: number; readonly index: number }

const OBJECTS_IN_PACK = 200
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')

export type PdfFile = ReturnType<typeof pdfFile>

/** Writes PDF 1.7 with object streams and a cross-reference stream. */
export function pdfFile() {
  const chunks: Uint8Array[] = [HEADER]
  /** By number, from 1. */
  const entries: FileEntry[] = []
  let objectCount = 1
  let sizeBytes = HEADER.length
  let pack: { readonly number: number; readonly object: string }[] = []

  const write = (chunk: Uint8Array): void => {
    chunks.push(chunk)
    sizeBytes += chunk.length
  }
  const writeText = (text: string): void => write(Buffer.from(text, 'latin1'))
  const reserve = (): Ref => `${objectCount++} 0 R`

  function put(ref: Ref, object: string): void {
    pack.push({ number: numberOf(ref), object })
    if (pack.length >= OBJECTS_IN_PACK) flushPack()
  }

  function flushPack(): void {
    if (pack.length === 0) return
    let offset = 0
    const index: string[] = []
    for (const [at, { number, object }] of pack.entries()) {
      index.push(`${number} ${offset}`)
      offset += object.length + 1
      entries[number] = { in: 'pack', pack: objectCount, index: at }
    }
    const head = `${index.join(' ')}\n`
    const body = Buffer.from(head + pack.map(({ object }) => `${object}\n`).join(''), 'latin1')
    addStream({ Type: '/ObjStm', N: pack.length, First: head.length }, OWN.compress(body))
    pack = []
  }

  function addStream(head: StreamHead, { bytes, isCompressed }: StreamContent): Ref {
    const ref = reserve()
    entries[numberOf(ref)] = { in: 'file', offset: sizeBytes }
    const filter = isCompressed ? { Filter: '/FlateDecode' } : {}
    writeText(`${numberOf(ref)} 0 obj\n${dict({ ...filter, ...head, Length: bytes.length })}\nstream\n`)
    write(bytes)
    writeText('\nendstream\nendobj\n')
    return ref
  }

  return {
    /** Reserves a number for an object that is written later, for circular references. */
    reserve,
    /** Adds an object to an object stream. */
    put,
    addStream,
    add: (object: string): Ref => {
      const ref = reserve()
      put(ref, object)
      return ref
    },
    finish: (catalog: Ref, info: Ref): Uint8Array => {
      flushPack()
      const start = sizeBytes
      entries[objectCount] = { in: 'file', offset: start }
      const digest = createHash('sha256')
      for (const chunk of chunks) digest.update(chunk)
      // Derived from the content.
      const id = digest.digest('hex').slice(0, 32)
      const head = {
        Type: '/XRef',
        DecodeParms: '<</Predictor 12/Columns 7>>',
        Size: entries.length,
        W: '[1 4 2]',
        Root: catalog,
        Info: info,
        ID: `[<${id}><${id}>]`,
      }
      addStream(head, { bytes: crossReferences(entries), isCompressed: true })
      writeText(`startxref\n${start}\n%%EOF\n`)
      return Buffer.concat(chunks, sizeBytes)
    },
  }
}

const numberOf = (ref: Ref): number => Number.parseInt(ref, 10)

/** Type, place and index, after the kind of the row. */
const ROW_BYTES = 1 + 1 + 4 + 2
/** A PNG filter: a row minus the one above it, because numbered rows compress badly. */
const MINUS_ABOVE = 2

/** The compressed content of a cross-reference stream (ISO 32000-1 section 7.5.8), for objects by number from 1. */
export function crossReferences(entries: readonly FileEntry[]): Uint8Array {
  const rows = Buffer.alloc(entries.length * ROW_BYTES)
  writeRow(rows, 0, 0, 0, 65_535)
  for (let number = 1; number < entries.length; number++) {
    const entry = entries[number]
    if (entry === undefined) throw new Error(`object ${number} is missing`)
    if (entry.in === 'file') writeRow(rows, number, 1, entry.offset, 0)
    else writeRow(rows, number, 2, entry.pack, entry.index)
  }
  for (let at = rows.length - 1; at >= 0; at--)
    rows[at] = at % ROW_BYTES === 0 ? MINUS_ABOVE : (rows[at] ?? 0) - (rows[at - ROW_BYTES] ?? 0)
  return OWN.deflate(rows)
}

function writeRow(rows: Buffer, at: number, type: 0 | 1 | 2, place: number, index: number): void {
  rows.writeUInt8(type, at * ROW_BYTES + 1)
  rows.writeUInt32BE(place, at * ROW_BYTES + 2)
  rows.writeUInt16BE(index, at * ROW_BYTES + 6)
}
