import { comparePaths, type Trust, type Verdict } from '@kitseal/kit/internal'
import { Budget } from './budget.ts'
import {
  type Accepted,
  asBlocker,
  type Blocker,
  escapeInvisible,
  type FindingRecord,
  findingRecord,
  isBlocking,
} from './findings.ts'
import type { EvidenceLimits } from './limits.ts'
import type { Platform } from './platform/platform.ts'
import type { EvidencePolicy } from './policy.ts'
import type { NamedType } from './types/named-types.ts'
import { type Finding, type RuleCode, detailOf } from './rules.ts'

/** What every step of one examination shares. */
export interface ExamineContext {
  readonly platform: Platform
  readonly limits: EvidenceLimits
  readonly budget: Budget
  /** The codes that the supplier acknowledges. */
  readonly accepted: Accepted
  /** What plan and profile ask beyond the rules. */
  readonly policy: EvidencePolicy
  /** The types that the extension of a name stands for. */
  typesByName(name: string): readonly NamedType[]
  report(path: string | null, ...findings: readonly Finding[]): void
  listFindings(): FindingLists
  /** The keys that kits in the evidence are verified with. */
  readonly trust: Trust
  addKit(kit: EvidenceKit): void
  listKits(): readonly EvidenceKit[]
}

/** A kit in the evidence, and what verifying it showed. */
export interface EvidenceKit {
  /** The archive or folder, as the supplier knows it. */
  readonly path: string
  readonly kitId: string | undefined
  readonly issuer: string | undefined
  readonly issuedAt: string | undefined
  readonly verdict: Verdict
}

/** Sorted by path and code, each limited to `limits.blockers`. */
export interface FindingLists {
  readonly blockers: readonly Blocker[]
  /** Those that block, then the others. */
  readonly findings: readonly FindingRecord[]
}

/** Bounds memory: one checksum list can name a million missing files. */
const MAX_KEPT = 50_000

export interface ContextOptions extends Pick<
  ExamineContext,
  'platform' | 'limits' | 'accepted' | 'trust' | 'policy' | 'typesByName'
> {
  readonly uploadedBytes: number
}

export function createContext({ uploadedBytes, ...given }: ContextOptions): ExamineContext {
  const { limits, accepted, policy } = given
  const blocking = new KeptFindings(limits.blockers, 'more_blockers')
  const others = new KeptFindings(limits.blockers, 'more_findings')
  const kits: EvidenceKit[] = []
  return {
    ...given,
    budget: new Budget(limits, uploadedBytes),
    report(path, ...findings) {
      for (const finding of findings) {
        const record = findingRecord(path, finding, accepted, policy)
        if (isBlocking(record)) blocking.add(record)
        else others.add(record)
      }
    },
    listFindings() {
      const isCovered = coveredByKit(kits)
      const blockers = blocking.list(isCovered)
      return { blockers: blockers.map(asBlocker), findings: [...blockers, ...others.list(isCovered)] }
    },
    addKit: (kit) => void kits.push(kit),
    listKits: () => kits.toSorted((a, b) => comparePaths(a.path, b.path)),
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
    if (this.#kept.length < MAX_KEPT || finding.class === 'secret') this.#kept.push(finding)
    else this.#dropped++
  }

  /** Without repetitions. The last one says how many are not listed. */
  list(isCovered: (finding: FindingRecord) => boolean): readonly FindingRecord[] {
    const sorted = this.#kept.filter((one) => !isCovered(one)).toSorted(compareFindings)
    const distinct = sorted.filter((one, index) => {
      const previous = sorted[index - 1]
      return previous === undefined || compareFindings(previous, one) !== 0
    })
    if (distinct.length <= this.#limit) return distinct
    const more = distinct.length + this.#dropped - (this.#limit - 1)
    const last = findingRecord(null, {
      code: this.#more,
      detail: detailOf('detail.moreFound', { count: more }),
    })
    return [...distinct.slice(0, this.#limit - 1), last]
  }
}

/** Secrets first, so that they are among those that are listed. */
function compareFindings(a: FindingRecord, b: FindingRecord): number {
  return (
    Number(b.class === 'secret') - Number(a.class === 'secret') ||
    comparePaths(a.path ?? '', b.path ?? '') ||
    comparePaths(a.code, b.code) ||
    comparePaths(a.message, b.message)
  )
}

const ALWAYS_COUNT = /^(?:possible_secret$|kit_)/

/**
 * Findings about files in an intact kit are those of an earlier submission. Notices are not repeated; damage is not if the issuer is
 * trusted, because it accepted that. Dangers, secrets and
 * the kits themselves always count.
 */
function coveredByKit(kits: readonly EvidenceKit[]): (finding: FindingRecord) => boolean {
  const verdicts = new Map(kits.map(({ path, verdict }) => [escapeInvisible(path), verdict]))
  return ({ path, code, class: kind }) => {
    if (path === null || kind === 'danger' || ALWAYS_COUNT.test(code) || verdicts.size === 0) return false
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const verdict = verdicts.get(path.slice(0, at))
      if (verdict === 'verified' || (verdict === 'sender_unconfirmed' && kind === 'notice')) return true
    }
    return false
  }
}
