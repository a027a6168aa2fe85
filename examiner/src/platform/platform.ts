import type { Host, RandomAccess } from '@kitseal/kit'
import { copyOf, memorySource } from './sources.ts'

/** What the runtime provides: a server, a command line or a browser page. */
export interface Platform {
  readonly host: Host
  /** Stores unpacked content so that it can be read at any offset. */
  readonly store: (content: AsyncIterable<Uint8Array>) => Promise<StoredContent>
  readonly scanner?: Scanner | undefined
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

/** A platform that needs only memory and web standards, as in a browser page. */
export function memoryPlatform(host: Platform['host']): Platform {
  return {
    host,
    async store(content) {
      const parts: Uint8Array<ArrayBuffer>[] = []
      for await (const bytes of content) parts.push(copyOf(bytes))
      const whole = new Uint8Array(await new Blob(parts).arrayBuffer())
      return { object: 'memory', source: memorySource(whole), discard: async () => undefined }
    },
  }
}
