import { hex } from './encoding/hex.ts'
import type { ExaminedKit } from './examine.ts'
import { parseDocument } from './examine.ts'
import type { Host } from './host.ts'
import { parseProvenance, PROVENANCE_PATH, type ProvenanceEntry } from './provenance.ts'
import type { Verdict } from './verdicts.ts'

/** What a kit says about where its evidence came from. */
export interface ProvenanceReport {
  /** Whether the verdict is `verified`. If not, `verified` entries are only what the kit says. */
  readonly confirmed: boolean
  /** Why nothing of the report is shown: it is malformed. Null if it is well-formed. */
  readonly problem: string | null
  readonly entries: readonly ProvenanceEntry[]
}

/**
 * The provenance report of an intact kit; undefined if it has none. Like that of any other report, its form does not
 * change the status, but nothing of a malformed one is used.
 */
export function provenanceReport(
  { manifest, provenance }: Pick<ExaminedKit, 'manifest' | 'provenance'>,
  verdict: Verdict,
  host: Host,
): ProvenanceReport | undefined {
  if (!manifest.ok || verdict === 'altered' || verdict === 'unreadable') return undefined
  const { artifacts } = manifest.value
  const listed = artifacts.find(({ path }) => path === PROVENANCE_PATH)
  if (listed === undefined) return undefined
  const confirmed = verdict === 'verified'
  const isListed = provenance !== undefined && hex(host.digest(provenance)) === listed.sha256
  const paths = new Set(artifacts.map(({ path }) => path))
  const parsed = parseDocument(isListed ? provenance : undefined, PROVENANCE_PATH, (value) =>
    parseProvenance(value, paths),
  )
  if (parsed.ok) return { confirmed, problem: null, entries: parsed.value.entries }
  const [problem = ''] = parsed.problems
  return { confirmed, problem: `${PROVENANCE_PATH} is malformed: ${problem}`, entries: [] }
}
