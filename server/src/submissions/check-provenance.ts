import { type JsonValue, parseSubmissionProvenance, type SubmissionProvenance } from '@kitseal/kit/internal'
import { Compile } from 'typebox/schema'
import type { ExtraCheck } from '../http/validate-request.ts'
import { SubmissionProvenanceBody } from '../kits/provenance-schemas.ts'
import { Refusal } from '../refusals.ts'

const DAY_MS = 86_400_000
let compiled: ReturnType<typeof Compile> | undefined

/** What the schema cannot say: dates that exist, periods that do not end before they begin, text without control characters. */
export const checkProvenance: ExtraCheck = ({ provenance }) => {
  if (provenance == null) return []
  compiled ??= Compile(SubmissionProvenanceBody())
  // The schema has reported it.
  if (!compiled.Check(provenance)) return []
  const parsed = parseSubmissionProvenance(provenance as JsonValue)
  if (parsed.ok) return []
  return parsed.problems.map((problem) => ({ param: 'provenance', text: `provenance: ${problem}` }))
}

/** One day more, for time zones. */
export function rejectFuture(provenance: SubmissionProvenance | null | undefined, nowMs: number): void {
  const { files = {}, ...all } = provenance ?? {}
  for (const { collected_at } of [all, ...Object.values(files)])
    if (collected_at !== undefined && Date.parse(collected_at) > nowMs + DAY_MS)
      throw new Refusal('body_invalid', 'provenance: collected_at must not be in the future.', {
        param: 'provenance',
      })
}
