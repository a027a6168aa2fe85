import type { StructureCheck } from '../structures/structure.ts'
import type { StartTextCheck } from '../text/text-check.ts'
import type { Content, NamedType } from './named-types.ts'

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
