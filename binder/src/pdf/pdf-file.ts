import { createHash } from 'node:crypto'
import { compress, compressCached } from './compress.ts'
import { dict } from './pdf-values.ts'

/** A reference to an object, in PDF syntax. */
export type Ref = `${number} 0 R`

export interface PdfFile {
  /** Reserves a number for an object that is written later, for circular references. */
  reserve(): Ref
  put(ref: Ref, object: string): void
  add(object: string): Ref
  /** For objects that differ in every document, so that the compressed object streams can be cached. */
  addUncompressed(object: string): Ref
  putUncompressed(ref: Ref, object: string): void
  stream(entries: Readonly<Record<string, string | number>>, content: Uint8Array): Ref
  finish(trailer: { readonly catalog: Ref; readonly info: Ref }): Uint8Array
}

type Entry =
  | { readonly in: 'file'; readonly offset: number }
  | { readonly in: 'pack'; readonly pack: number; readonly index: number }

const OBJECTS_IN_PACK = 200
const WORTH_COMPRESSING_BYTES = 1024

/** Writes PDF 1.7 with object streams and a cross-reference stream. */
export function pdfFile(): PdfFile {
  const chunks: Uint8Array[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const entries: (Entry | undefined)[] = [undefined]
  let sizeBytes = chunks[0]?.length ?? 0
  let pack: { readonly number: number; readonly objects: string }[] = []

  const write = (chunk: Uint8Array): void => {
    chunks.push(chunk)
    sizeBytes += chunk.length
  }
  const reserve = (): Ref => `${entries.push(undefined) - 1} 0 R`

  function put(ref: Ref, object: string): void {
    pack.push({ number: numberOf(ref), objects: object })
    if (pack.length >= OBJECTS_IN_PACK) flushPack()
  }

  function flushPack(): void {
    if (pack.length === 0) return
    const ref = reserve()
    let offset = 0
    const index: string[] = []
    for (const [at, { number, objects }] of pack.entries()) {
      index.push(`${number} ${offset}`)
      offset += objects.length + 1
      entries[number] = { in: 'pack', pack: numberOf(ref), index: at }
    }
    const head = `${index.join(' ')}\n`
    const body = Buffer.from(head + pack.map(({ objects }) => `${objects}\n`).join(''), 'latin1')
    writePacked(ref, { Type: '/ObjStm', N: pack.length, First: head.length }, body)
    pack = []
  }

  function writePacked(ref: Ref, head: Readonly<Record<string, string | number>>, content: Uint8Array): void {
    if (content.length < WORTH_COMPRESSING_BYTES) writeStream(ref, head, content)
    else writeStream(ref, { Filter: '/FlateDecode', ...head }, compressCached(content))
  }

  function writeStream(ref: Ref, head: Readonly<Record<string, string | number>>, content: Uint8Array): void {
    entries[numberOf(ref)] = { in: 'file', offset: sizeBytes }
    const opening = dict({ ...head, Length: content.length })
    write(Buffer.from(`${numberOf(ref)} 0 obj\n${opening}\nstream\n`, 'latin1'))
    write(content)
    write(Buffer.from('\nendstream\nendobj\n', 'latin1'))
  }

  function putUncompressed(ref: Ref, object: string): void {
    entries[numberOf(ref)] = { in: 'file', offset: sizeBytes }
    write(Buffer.from(`${numberOf(ref)} 0 obj\n${object}\nendobj\n`, 'latin1'))
  }

  return {
    reserve,
    put,
    putUncompressed,
    add: (object) => {
      const ref = reserve()
      put(ref, object)
      return ref
    },
    addUncompressed: (object) => {
      const ref = reserve()
      putUncompressed(ref, object)
      return ref
    },
    stream: (head, content) => {
      const ref = reserve()
      if ('Filter' in head) writeStream(ref, head, content)
      else writePacked(ref, head, content)
      return ref
    },
    finish: ({ catalog, info }) => {
      flushPack()
      const ref = reserve()
      entries[numberOf(ref)] = { in: 'file', offset: sizeBytes }
      const id = `<${fingerprint(chunks)}>`
      const start = sizeBytes
      writeStream(
        ref,
        {
          Type: '/XRef',
          Filter: '/FlateDecode',
          DecodeParms: '<</Predictor 12/Columns 7>>',
          Size: entries.length,
          W: '[1 4 2]',
          Root: catalog,
          Info: info,
          ID: `[${id}${id}]`,
        },
        compress(subtractRows(crossReferences(entries), 7)),
      )
      write(Buffer.from(`startxref\n${start}\n%%EOF\n`, 'latin1'))
      return Buffer.concat(chunks, sizeBytes)
    },
  }
}

/** The file ID, derived from the content. */
function fingerprint(chunks: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex').slice(0, 32)
}

function crossReferences(entries: readonly (Entry | undefined)[]): Uint8Array {
  const table = new DataView(new ArrayBuffer(entries.length * 7))
  table.setUint16(5, 65535)
  for (const [number, entry] of entries.entries()) {
    if (entry === undefined) continue
    table.setUint8(number * 7, entry.in === 'file' ? 1 : 2)
    table.setUint32(number * 7 + 1, entry.in === 'file' ? entry.offset : entry.pack)
    table.setUint16(number * 7 + 5, entry.in === 'file' ? 0 : entry.index)
  }
  return new Uint8Array(table.buffer)
}

/** Each byte minus the one above it (PNG filter 2), because numbered rows compress badly. */
function subtractRows(rows: Uint8Array, width: number): Uint8Array {
  const filtered = new Uint8Array(rows.length + rows.length / width)
  for (let row = 0; row * width < rows.length; row++) {
    const at = row * (width + 1)
    filtered[at] = 2
    for (let column = 0; column < width; column++) {
      const above = row === 0 ? 0 : (rows[(row - 1) * width + column] ?? 0)
      filtered[at + 1 + column] = (rows[row * width + column] ?? 0) - above
    }
  }
  return filtered
}

const numberOf = (ref: Ref): number => Number.parseInt(ref, 10)
