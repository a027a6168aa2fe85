import { comparePaths } from '@kitseal/kit'
import { Budget } from './budget.ts'
import {
  type Accepted,
  asBlocker,
  type Blocker,
  type FindingRecord,
  findingRecord,
  isBlocking,
} from './findings.ts'
import type { EvidenceLimits } from './limits.ts'
import type { Platform } from './platform/platform.ts'
import type { NamedType } from './types/named-type.ts'
import type { Finding, RuleCode } from './rules.ts'

/** What every step of one examination shares. */
export interface ExamineContext {
  readonly platform: Platform
  readonly limits: EvidenceLimits
  readonly budget: Budget
  /** The codes that the supplier acknowledges. */
  readonly accepted: Accepted
  /** The types that the extension of a name stands for. */
  typesByName(name: string): readonly NamedType[]
  report(path: string | null, ...findings: readonly Finding[]): void
  listFindings(): FindingLists
  /** A prefix for temporary content: unique in the store, and the same when the examination is retried. */
  nextLabel(): Uint8Array
}

/** Sorted by path and code, each limited to `limits.blockers`. */
export interface FindingLists {
  readonly blockers: readonly Blocker[]
  /** Those that block, then the others. */
  readonly findings: readonly FindingRecord[]
}

/** Bounds memory: one checksum list can name a million missing files. */
const MAX_KEPT = 50_000

export function createContext(
  platform: Platform,
  limits: EvidenceLimits,
  uploadedBytes: number,
  packLabel: string,
  accepted: Accepted,
  typesByName: ExamineContext['typesByName'],
): ExamineContext {
  const blocking = new KeptFindings(limits.blockers, 'more_blockers')
  const others = new KeptFindings(limits.blockers, 'more_findings')
  let labels = 0
  return {
    platform,
    limits,
    accepted,
    typesByName,
    budget: new Budget(limits, uploadedBytes),
    report(path, ...findings) {
      for (const finding of findings) {
        const record = findingRecord(path, finding, accepted)
        if (isBlocking(record)) blocking.add(record)
        else others.add(record)
      }
    },
    listFindings() {
      const blockers = blocking.list()
      return { blockers: blockers.map(asBlocker), findings: [...blockers, ...others.list()] }
    },
    nextLabel: () => new TextEncoder().encode(`${packLabel}, part ${++labels}\n`),
  }
}

class KeptFindings {
  readonly #kept: FindingRecord[] = []
  readonly #limit: number
  readonly #more: RuleCode
  #dropped = 0

  constructor(limit: number, more: RuleCode) {
    this.#limit = limit
    this.#more = more
  }

  add(finding: FindingRecord): void {
    if (this.#kept.length < MAX_KEPT) this.#kept.push(finding)
    else this.#dropped++
  }

  /** Without repetitions. The last one says how many are not listed. */
  list(): readonly FindingRecord[] {
    const sorted = this.#kept.toSorted(compareFindings)
    const distinct = sorted.filter((one, index) => {
      const previous = sorted[index - 1]
      return previous === undefined || compareFindings(previous, one) !== 0
    })
    if (distinct.length <= this.#limit) return distinct
    const more = distinct.length + this.#dropped - (this.#limit - 1)
    const last = findingRecord(null, { code: this.#more, detail: `${more} more were found` })
    return [...distinct.slice(0, this.#limit - 1), last]
  }
}

function compareFindings(a: Blocker, b: Blocker): number {
  return (
    comparePaths(a.path ?? '', b.path ?? '') ||
    comparePaths(a.code, b.code) ||
    comparePaths(a.message, b.message)
  )
}
