import type { StructurePart } from './structure-tree.ts'
import { zlibSync } from 'fflate'
import { deflateSync } from 'node:zlib'

/** Smaller contents are not compressed. */
const WORTH_COMPRESSING_BYTES = 1024

/** The content of a stream as it is written. */
export interface StreamContent {
  readonly bytes: Uint8Array
  readonly isCompressed: boolean
}

export interface Compression {
  deflate(content: Uint8Array): Uint8Array
  compress(content: Uint8Array): StreamContent
}

/** For content of one document: the platform's zlib, with little memory, takes a fifth of the time. */
export const OWN: Compression = {
  deflate: (content) => deflateSync(content, { level: 3, windowBits: 14, memLevel: 6, chunkSize: 4096 }),
  compress: (content) => compressed(content, WORTH_COMPRESSING_BYTES, OWN),
}

/** For content that many documents share. It is compressed once per process, as small as possible. */
export const SHARED: Compression = {
  deflate: (content) => zlibSync(content, { level: 9 }),
  compress: (content) => compressed(content, WORTH_COMPRESSING_BYTES / 4, SHARED),
}

const compressed = (content: Uint8Array, fromBytes: number, { deflate }: Compression): StreamContent =>
  content.length < fromBytes
    ? { bytes: content, isCompressed: false }
    : { bytes: deflate(content), isCompressed: true }

/** For content of one document in pieces, one byte per character. */
export const compressPieces = (pieces: readonly string[]): StreamContent =>
  OWN.compress(Buffer.from(pieces.join(''), 'latin1'))

/** Content of a page that many documents have in common, compressed once. */
export interface SharedContent {
  readonly stream: StreamContent
  readonly structure: StructurePart
}

export const sharedContent = (pieces: readonly string[], structure: StructurePart): SharedContent => ({
  stream: SHARED.compress(Buffer.from(pieces.join(''), 'latin1')),
  structure,
})
