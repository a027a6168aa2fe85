import { type Why, textOf } from '@kitseal/kit/internal'
import type { RandomAccess } from '@kitseal/kit'
import type { ExamineContext } from '../examine-context.ts'
import type { Finding, RuleCode } from '../rules.ts'
import type { Containment, StartTextCheck } from '../text/text-check.ts'

export type { Containment } from '../text/text-check.ts'

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
  /** How many files it is in, of any kind. */
  readonly levels: number
  readonly as: Containment
}

export interface FileToCheck extends FilePlace {
  readonly source: RandomAccess
}

export interface Structure {
  readonly findings: readonly Finding[]
  /** The id of the type, for containers, whose type only shows inside. */
  readonly type?: string
  /** A kit, which does not count as a level of archives. */
  readonly isKit?: true
  /** Files inside, to examine next. */
  readonly inner?: readonly InnerFile[]
  /** Where those are stored as they are, so that they are not searched for what is appended. */
  readonly covered?: readonly Covered[]
}

/** A range of bytes. */
export interface Covered {
  readonly from: number
  readonly to: number
}

/** A file inside another one. */
export interface InnerFile {
  readonly name: string
  readonly sizeBytes: number
  readonly as: Containment
  /** Reads it from its start. Throws an InnerProblem if it is damaged. */
  readonly content: () => AsyncIterable<Uint8Array>
  /** Random access, if it is stored as it is. */
  readonly source?: () => RandomAccess | undefined
  /** Reads the text instead of the check for its extension. */
  readonly checkText?: StartTextCheck | undefined
}

/** A file inside another one cannot be read. */
export class InnerProblem extends Error {
  override readonly name = 'InnerProblem'
  readonly finding: Finding

  constructor(finding: Finding) {
    super(finding.detail === undefined ? finding.code : textOf(finding.detail))
    this.finding = finding
  }
}

export type StructureCheck = (file: FileToCheck, ctx: ExamineContext) => Promise<Structure>

export const SOUND: Structure = { findings: [] }

export function broken(code: RuleCode, detail: Why): Structure {
  return { findings: [{ code, detail }] }
}
