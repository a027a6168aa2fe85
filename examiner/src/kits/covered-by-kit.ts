import { escapeInvisible, type FindingRecord } from '../findings.ts'
import type { Verdict } from '@kitseal/kit'

const ALWAYS_COUNT = /^(?:possible_secret$|kit_)/

/**
 * Findings about files in an intact kit are those of an earlier submission. Notices are not repeated; damage is not if the issuer is
 * trusted, because it accepted that. Dangers, secrets and
 * the kits themselves always count.
 */
export function coveredByKit(kits: readonly EvidenceKit[]): (finding: FindingRecord) => boolean {
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

/** A kit in the evidence, and what verifying it showed. */
export interface EvidenceKit {
  /** The archive or folder, as the supplier knows it. */
  readonly path: string
  readonly kitId: string | undefined
  readonly issuer: string | undefined
  readonly issuedAt: string | undefined
  readonly verdict: Verdict
}
