import type { Host, RandomAccess } from '@kitseal/kit'

/** What the runtime provides: a server, a command line or a browser page. */
export interface Platform {
  readonly host: Host
  /** Frees a buffer that `host.inflate` returned. */
  readonly free?: (inflated: Uint8Array) => void
  /** Inflates raw deflate data as a stream. Throws ZipProblem if the data is damaged or not exactly as long as declared. */
  readonly inflate: (deflated: AsyncIterable<Uint8Array>, sizes: InflateSizes) => AsyncIterable<Uint8Array>
  /** Stores unpacked content so that it can be read at any offset. */
  readonly store: (content: AsyncIterable<Uint8Array>) => Promise<StoredContent>
  readonly scanner?: Scanner | undefined
  /** Milliseconds from any fixed point, for the time that examiners have. Default: the clock of the system. */
  readonly now?: (() => number) | undefined
}

export interface InflateSizes {
  readonly compressedBytes: number
  readonly sizeBytes: number
}

export interface StoredContent {
  /** The name of the object in the platform's store. */
  readonly object: string
  readonly source: RandomAccess
  discard(): Promise<void>
}

/** A virus scanner. `scan` is called once per submission. */
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
