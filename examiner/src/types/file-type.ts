import type { StructureCheck } from '../structures/structure.ts'
import type { StartTextCheck } from '../text/text-check.ts'

/** What the name of a file says about it. */
export interface NamedType {
  readonly id: string
  readonly title: string
  readonly mediaType: string
  /** File name extensions. */
  readonly endings: readonly string[]
  readonly content: Content
  /** A script or source code. */
  readonly isCode?: true
  /** A ZIP archive whose parts are searched like those of a document. */
  readonly isPackage?: true
}

export type Content = 'pdf' | 'png' | 'jpeg' | 'tiff' | 'zip' | 'compound' | 'program' | 'text' | 'binary'

/** What the first bytes show, without the name. */
export interface ContentFormat {
  readonly content: Content
  readonly detect?: (head: Uint8Array) => boolean
  /** Runs with random access to the whole file. */
  readonly checkStructure?: StructureCheck
}

/** Types with the same content are distinguished by what is inside (ZIP) or by the extension (text). */
export interface FileType extends NamedType, ContentFormat {
  /** Runs while a text is read. */
  readonly checkText?: StartTextCheck
}
