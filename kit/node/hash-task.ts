import type { EntryContent } from '../src/encoding/zip-content.ts'
import type { ZipEntry } from '../src/encoding/zip-entry.ts'
import type { Batch } from './batches.ts'
import type { FileHash, FileToHash } from './hash-files.ts'

/** What to hash. Sent to threads, so it holds only data. */
export type HashTask = ZipTask | FilesTask

export interface ZipTask {
  readonly kind: 'zip'
  readonly path: string
  readonly entries: readonly ZipEntry[]
  readonly end: number
  readonly wanted: ReadonlySet<string>
  readonly trustedCrc32: ReadonlyMap<string, number>
}

export interface FilesTask {
  readonly kind: 'files'
  readonly files: readonly FileToHash[]
  /** An archive needs it for each file. */
  readonly withCrc32: boolean
}

export interface SharedTask {
  readonly task: HashTask
  readonly batches: readonly Batch[]
  readonly shared: SharedArrayBuffer
}

export type Hashed = EntryContent | FileHash
