import type { Host, RandomAccess } from '@kitseal/kit'

/** What the rules need of the place that they run in: the service, a command line, a page. */
export interface Surroundings {
  readonly host: Pick<Host, 'sha256' | 'crc32' | 'inflate'>
  /** Frees what `host.inflate` gave, at once. */
  readonly free?: (inflated: Uint8Array) => void
  /** Inflates raw deflate data piece by piece. Throws ZipProblem where it is broken or not exactly as long as declared. */
  readonly inflate: (deflated: AsyncIterable<Uint8Array>, sizes: InflateSizes) => AsyncIterable<Uint8Array>
  /** Keeps bytes aside so that they can be read by position. */
  readonly setAside: (content: AsyncIterable<Uint8Array>) => Promise<Aside>
  readonly scanner?: Scanner | undefined
}

export interface InflateSizes {
  readonly compressedBytes: number
  readonly sizeBytes: number
}

export interface Aside {
  /** How the place names what it keeps. */
  readonly object: string
  readonly source: RandomAccess
  discard(): Promise<void>
}

/** Looks for viruses. One session for one submission. */
export interface Scanner {
  scan(files: readonly ScannedFile[]): Promise<readonly ScanResult[]>
}

export interface ScannedFile {
  readonly sizeBytes: number
  read(): AsyncIterable<Uint8Array>
}

export type ScanResult =
  | { readonly is: 'clean' }
  | { readonly is: 'infected'; readonly signature: string }
  | { readonly is: 'failed'; readonly why: string }

/** A copy that is the holder's own. `slice` is none where the bytes are a Buffer of Node: that one shares its memory. */
export function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}

export function memorySource(bytes: Uint8Array): RandomAccess {
  return { sizeBytes: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) }
}

/** A part of a source, as a source. What is read from it lasts: nobody is told when a reader is done. */
export function partOf(source: RandomAccess, offset: number, sizeBytes: number): RandomAccess {
  return {
    sizeBytes,
    read: (at, length) => source.read(offset + at, Math.max(0, Math.min(length, sizeBytes - at))),
  }
}

const PIECE_BYTES = 1024 * 1024

export async function* pieces(source: RandomAccess): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.sizeBytes; at += PIECE_BYTES) {
    const bytes = await source.read(at, Math.min(PIECE_BYTES, source.sizeBytes - at))
    yield bytes
    // The last one, which may be all there is, lasts.
    if (at + PIECE_BYTES < source.sizeBytes) source.done?.(bytes)
  }
}

const WINDOW_BYTES = 64 * 1024

/** The same source for a reader of many small parts that lie near each other. */
export function buffered(source: RandomAccess): RandomAccess {
  let at = 0
  let kept: Uint8Array = new Uint8Array(0)
  return {
    sizeBytes: source.sizeBytes,
    async read(offset, length) {
      if (length > WINDOW_BYTES / 2) return source.read(offset, length)
      if (offset < at || offset + length > at + kept.length) {
        kept = copyOf(await source.read(offset, Math.min(WINDOW_BYTES, source.sizeBytes - offset)))
        at = offset
      }
      return kept.subarray(offset - at, offset - at + length)
    },
  }
}
