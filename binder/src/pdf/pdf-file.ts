import { hash } from 'node:crypto'
import type { Compression, StreamContent } from './compress.ts'
import type { FileEntry } from './cross-references.ts'
import { dict } from './pdf-values.ts'

/** A reference to an object, in PDF syntax. */
export type Ref = `${number} 0 R`

export type StreamHead = Readonly<Record<string, string | number>>

export interface FileStart {
  readonly bytes: Uint8Array
  readonly sha256: string
  /** How many objects each file adds. They have the first numbers. */
  readonly ownCount: number
  readonly objectCount: number
  /** The objects in it, which come after those of each file. */
  readonly entries: readonly FileEntry[]
}

const OBJECTS_IN_PACK = 200
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')

/** The start of a file: objects that many files may share. */
export type PdfFile = ReturnType<typeof pdfFile>

/**
 * Writes PDF 1.7 with object streams and a cross-reference stream.
 * @param ownCount how many objects each file adds; the last one is the cross-reference stream
 */
export function pdfFile(ownCount: number, compression: Compression) {
  const chunks: Uint8Array[] = [HEADER]
  const entries: FileEntry[] = []
  let objectCount = ownCount + 1
  let sizeBytes = HEADER.length
  let pack: { readonly number: number; readonly object: string }[] = []

  const write = (chunk: Uint8Array): void => {
    chunks.push(chunk)
    sizeBytes += chunk.length
  }
  const setEntry = (number: number, entry: FileEntry): void => {
    if (number <= ownCount) throw new Error(`object ${number} is not part of the start`)
    entries[number - ownCount - 1] = entry
  }
  const reserve = (): Ref => refOf(objectCount++)

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
      setEntry(number, { in: 'pack', pack: numberOf(ref), index: at })
    }
    const head = `${index.join(' ')}\n`
    const body = Buffer.from(head + pack.map(({ object }) => `${object}\n`).join(''), 'latin1')
    putStream(ref, { Type: '/ObjStm', N: pack.length, First: head.length }, compression.compress(body))
    pack = []
  }

  function putStream(ref: Ref, head: StreamHead, content: StreamContent): void {
    setEntry(numberOf(ref), { in: 'file', offset: sizeBytes })
    write(Buffer.from(streamStart(ref, head, content), 'latin1'))
    write(content.bytes)
    write(Buffer.from(STREAM_END, 'latin1'))
  }

  return {
    /** Reserves a number for an object that is written later, for circular references. */
    reserve,
    /** Adds an object to an object stream. */
    put,
    putStream,
    add: (object: string): Ref => {
      const ref = reserve()
      put(ref, object)
      return ref
    },
    /** What was written, to continue it in several files (file-end.ts). */
    start: (): FileStart => {
      flushPack()
      const bytes = Buffer.concat(chunks, sizeBytes)
      return { bytes, sha256: hash('sha256', bytes), ownCount, objectCount, entries }
    },
  }
}

/** What is written up to the content of a stream. */
export const streamStart = (ref: Ref, head: StreamHead, { bytes, isCompressed }: StreamContent): string =>
  `${numberOf(ref)} 0 obj\n${dict({
    ...(isCompressed ? { Filter: '/FlateDecode' } : {}),
    ...head,
    Length: bytes.length,
  })}\nstream\n`

export const STREAM_END = '\nendstream\nendobj\n'

export const refOf = (number: number): Ref => `${number} 0 R`

export const numberOf = (ref: Ref): number => Number.parseInt(ref, 10)
