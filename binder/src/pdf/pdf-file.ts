import { createHash, type Hash } from 'node:crypto'
import { deflate, type StreamContent } from './compress.ts'
import { crossReferences, type FileEntry } from './cross-references.ts'
import { dict } from './pdf-values.ts'

/** A reference to an object, in PDF syntax. */
export type Ref = `${number} 0 R`

export interface PdfFile {
  /** Reserves a number for an object that is written later, for circular references. */
  reserve(): Ref
  /** Adds an object to an object stream. */
  put(ref: Ref, object: string): void
  add(object: string): Ref
  putUncompressed(ref: Ref, object: string): void
  putStream(ref: Ref, head: Readonly<Record<string, string | number>>, content: StreamContent): void
  /** What was written so far, to continue it in several files. Everything reserved may be written there. */
  start(): FileStart
  finish(trailer: { readonly catalog: Ref; readonly info: Ref }): Uint8Array
}

/** The start of a file. */
export interface FileStart {
  readonly bytes: Uint8Array
  readonly entries: readonly (FileEntry | undefined)[]
  readonly hash: Hash
}

const OBJECTS_IN_PACK = 200
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')
const EMPTY: FileStart = {
  bytes: HEADER,
  entries: [undefined],
  hash: createHash('sha256').update(HEADER),
}

/** Writes PDF 1.7 with object streams and a cross-reference stream. */
export function pdfFile(
  compressObjects: (content: Uint8Array) => StreamContent,
  start: FileStart = EMPTY,
): PdfFile {
  const chunks: Uint8Array[] = [start.bytes]
  const entries = [...start.entries]
  let sizeBytes = start.bytes.length
  let pack: { readonly number: number; readonly object: string }[] = []

  const write = (chunk: Uint8Array): void => {
    chunks.push(chunk)
    sizeBytes += chunk.length
  }
  const reserve = (): Ref => `${entries.push(undefined) - 1} 0 R`

  function put(ref: Ref, object: string): void {
    pack.push({ number: numberOf(ref), object })
    if (pack.length >= OBJECTS_IN_PACK) flushPack()
  }

  function flushPack(): void {
    if (pack.length === 0) return
    const ref = reserve()
    let offset = 0
    const index: string[] = []
    for (const [at, { number, object }] of pack.entries()) {
      index.push(`${number} ${offset}`)
      offset += object.length + 1
      entries[number] = { in: 'pack', pack: numberOf(ref), index: at }
    }
    const head = `${index.join(' ')}\n`
    const body = Buffer.from(head + pack.map(({ object }) => `${object}\n`).join(''), 'latin1')
    putStream(ref, { Type: '/ObjStm', N: pack.length, First: head.length }, compressObjects(body))
    pack = []
  }

  function putStream(
    ref: Ref,
    head: Readonly<Record<string, string | number>>,
    { bytes, isCompressed }: StreamContent,
  ): void {
    const number = numberOf(ref)
    entries[number] = { in: 'file', offset: sizeBytes }
    const opening = dict({
      ...(isCompressed ? { Filter: '/FlateDecode' } : {}),
      ...head,
      Length: bytes.length,
    })
    write(Buffer.from(`${number} 0 obj\n${opening}\nstream\n`, 'latin1'))
    write(bytes)
    write(STREAM_END)
  }

  return {
    reserve,
    put,
    putStream,
    putUncompressed: (ref, object) => {
      entries[numberOf(ref)] = { in: 'file', offset: sizeBytes }
      write(Buffer.from(`${numberOf(ref)} 0 obj\n${object}\nendobj\n`, 'latin1'))
    },
    add: (object) => {
      const ref = reserve()
      put(ref, object)
      return ref
    },
    start: () => {
      flushPack()
      const hash = chunks.slice(1).reduce((all, chunk) => all.update(chunk), start.hash.copy())
      return { bytes: Buffer.concat(chunks, sizeBytes), entries: [...entries], hash }
    },
    finish: ({ catalog, info }) => {
      flushPack()
      const ref = reserve()
      const written = Buffer.concat(chunks.splice(0), sizeBytes)
      chunks.push(written)
      const hash = start.hash.copy().update(written.subarray(start.bytes.length))
      const id = `<${hash.digest('hex').slice(0, 32)}>`
      const at = sizeBytes
      entries[numberOf(ref)] = { in: 'file', offset: at }
      putStream(
        ref,
        {
          Type: '/XRef',
          DecodeParms: '<</Predictor 12/Columns 7>>',
          Size: entries.length,
          W: '[1 4 2]',
          Root: catalog,
          Info: info,
          // Derived from the content.
          ID: `[${id}${id}]`,
        },
        { bytes: deflate(crossReferences(entries)), isCompressed: true },
      )
      write(Buffer.from(`startxref\n${at}\n%%EOF\n`, 'latin1'))
      return Buffer.concat(chunks, sizeBytes)
    },
  }
}

const STREAM_END = Buffer.from('\nendstream\nendobj\n', 'latin1')

const numberOf = (ref: Ref): number => Number.parseInt(ref, 10)
