import type { RandomAccess } from '@kitseal/kit'
import type { OpenArchive } from '../archives/open-archive.ts'
import type { ExamineContext } from '../examine-context.ts'
import type { Finding, RuleCode } from '../rules.ts'

/** Where a file stands in the evidence. */
export interface FilePlace {
  /** The name that its extension is taken from. */
  readonly name: string
  readonly displayPath: string
  /** How many archives and documents it is in, not counting the uploaded one; -1 for an uploaded file itself. */
  readonly depth: number
  /** How many documents it is in. */
  readonly documents: number
  /** How many kits it is in. */
  readonly kits: number
}

export interface FileToCheck extends FilePlace {
  readonly source: RandomAccess
  /** Offsets that were recorded while the file was read. */
  readonly markersAt: readonly number[]
}

export interface Structure {
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  /** The id of the type, for containers, whose type only shows inside. */
  readonly type?: string
  /** Files inside a tar or gzip file, to examine next. */
  readonly inner?: readonly InnerFile[]
  /** A kit, which does not count as a level of archives. */
  readonly isKit?: true
  /** Entries to examine next: the files of an archive, or the parts of a document. */
  readonly contents?: { readonly archive: OpenArchive; readonly are: 'files' | 'parts' }
}

/** A file inside another one: a range of it, or content that is decompressed. */
export type InnerFile = { readonly name: string; readonly sizeBytes: number } & (
  | { readonly source: RandomAccess }
  | { readonly content: () => AsyncIterable<Uint8Array> }
)

export type StructureCheck = (file: FileToCheck, ctx: ExamineContext) => Promise<Structure>

export const SOUND: Structure = { findings: [], notes: [] }

export function broken(code: RuleCode, detail: string): Structure {
  return { findings: [{ code, detail }], notes: [] }
}
