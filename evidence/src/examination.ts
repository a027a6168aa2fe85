import type { RandomAccess } from '@kitseal/kit'
import { Budget } from './budget.ts'
import type { FileType } from './file-types.ts'
import type { EvidenceLimits } from './limits.ts'
import { type Blocker, blocker, type Finding } from './rules.ts'
import type { Surroundings } from './surroundings.ts'

/** One supplied file: as it was sent, readable by position. */
export interface SuppliedSource {
  readonly name: string
  readonly source: RandomAccess
  /** How the place that keeps it names it. */
  readonly object: string
  /** Known where it was measured on arrival. */
  readonly sha256?: string | undefined
  readonly crc32?: number | undefined
}

/** A file that goes into the kit. */
export interface ExaminedFile {
  /** As it will stand in the kit, under data/. */
  readonly path: string
  readonly shownPath: string
  /** The name of the supplied file that it is or comes out of. */
  readonly from: string
  readonly sha256: string
  readonly crc32: number
  readonly sizeBytes: number
  readonly object: string
  readonly offset: number
  readonly type: FileType | undefined
  readonly toldBy: string
  readonly notes: readonly string[]
  /** What was seen in archives inside. */
  readonly inside?: InsideReport | undefined
  /** The text itself, for small lists of checksums. */
  readonly list?: string | undefined
}

export interface InsideReport {
  readonly files: number
  readonly bytes: number
}

/** What one submission is examined with: the limits that are left, and the list of what is wrong. */
export interface Examination {
  readonly surroundings: Surroundings
  readonly limits: EvidenceLimits
  readonly budget: Budget
  readonly blockers: readonly Blocker[]
  /** How many more were found than are kept. */
  readonly unkept: number
  /** Stands before what is set aside for a while: like no other, and the same in a second try. */
  nextLabel(): Uint8Array
  report(path: string | null, ...findings: readonly Finding[]): void
}

/** Far more than are ever listed, and few enough to be held: one list of checksums can name a million missing files. */
const KEPT_BLOCKERS = 50_000

export function startExamination(
  surroundings: Surroundings,
  limits: EvidenceLimits,
  uploadedBytes: number,
  packLabel: string,
): Examination {
  const blockers: Blocker[] = []
  let unkept = 0
  let labels = 0
  return {
    surroundings,
    limits,
    budget: new Budget(limits, uploadedBytes),
    blockers,
    get unkept() {
      return unkept
    },
    nextLabel: () => new TextEncoder().encode(`${packLabel}, part ${++labels}\n`),
    report(path, ...findings) {
      for (const finding of findings) {
        if (blockers.length < KEPT_BLOCKERS) blockers.push(blocker(path, finding))
        else unkept++
      }
    },
  }
}
