import type { EntryContent } from '../src/encoding/zip-content.ts'
import type { ZipEntry } from '../src/encoding/zip-entry.ts'
import type { Batch } from './batches.ts'
import type { FileHash } from './hash-files.ts'

/** What to hash. Sent to threads, so it holds only data. */
export type HashTask = ZipTask | FolderTask

export interface ZipTask {
  readonly kind: 'zip'
  readonly path: string
  readonly entries: readonly ZipEntry[]
  readonly end: number
  readonly wanted: ReadonlySet<string>
  readonly trustedCrc32: ReadonlyMap<string, number>
}

export interface FolderTask {
  readonly kind: 'folder'
  readonly path: string
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[]
}

export interface SharedTask {
  readonly task: HashTask
  readonly batches: readonly Batch[]
  readonly shared: SharedArrayBuffer
}

export type Hashed = EntryContent | FileHash
