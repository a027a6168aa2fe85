import { comparePaths } from '@kitseal/kit'
import { Budget } from './budget.ts'
import type { EvidenceLimits } from './limits.ts'
import type { Platform } from './platform/platform.ts'
import { type Blocker, blocker, type Finding } from './rules.ts'

/** What every step of one examination shares. */
export interface ExamineContext {
  readonly platform: Platform
  readonly limits: EvidenceLimits
  readonly budget: Budget
  report(path: string | null, ...findings: readonly Finding[]): void
  /** Sorted by path and code, limited to `limits.blockers`. */
  listBlockers(): readonly Blocker[]
  /** A prefix for temporary content: unique in the store, and the same when the examination is retried. */
  nextLabel(): Uint8Array
}

/** Bounds memory: one checksum list can name a million missing files. */
const MAX_KEPT_BLOCKERS = 50_000

export function createContext(
  platform: Platform,
  limits: EvidenceLimits,
  uploadedBytes: number,
  packLabel: string,
): ExamineContext {
  const blockers: Blocker[] = []
  let dropped = 0
  let labels = 0
  return {
    platform,
    limits,
    budget: new Budget(limits, uploadedBytes),
    report(path, ...findings) {
      for (const finding of findings) {
        if (blockers.length < MAX_KEPT_BLOCKERS) blockers.push(blocker(path, finding))
        else dropped++
      }
    },
    listBlockers: () => listBlockers(blockers, dropped, limits.blockers),
    nextLabel: () => new TextEncoder().encode(`${packLabel}, part ${++labels}\n`),
  }
}

function listBlockers(blockers: readonly Blocker[], dropped: number, limit: number): readonly Blocker[] {
  const sorted = blockers.toSorted(compareBlockers)
  const distinct = sorted.filter((one, index) => {
    const previous = sorted[index - 1]
    return previous === undefined || compareBlockers(previous, one) !== 0
  })
  if (distinct.length <= limit) return distinct
  const more = distinct.length + dropped - (limit - 1)
  const last = blocker(null, { code: 'more_blockers', detail: `${more} more were found` })
  return [...distinct.slice(0, limit - 1), last]
}

function compareBlockers(a: Blocker, b: Blocker): number {
  return (
    comparePaths(a.path ?? '', b.path ?? '') ||
    comparePaths(a.code, b.code) ||
    comparePaths(a.message, b.message)
  )
}
