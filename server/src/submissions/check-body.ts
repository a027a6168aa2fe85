import { acceptProblem, parseSubmissionProvenance } from '@kitseal/examiner'
import { type ExtraCheck, problem } from '../http/validate-request.ts'
import { tagKey } from './submission-words.ts'
import type { JsonValue, SubmissionProvenance } from '@kitseal/kit/internal'
import { Compile } from 'typebox/schema'
import { SubmissionProvenanceBody } from '../kits/kit-schemas.ts'
import { Refusal } from '../refusals.ts'

/** Each code must be one that can be acknowledged. */
export const checkAccept: ExtraCheck = ({ accept }) =>
  (Array.isArray(accept) ? accept : []).flatMap((code, index) => {
    const wrong = typeof code === 'string' ? acceptProblem(code) : undefined
    return wrong === undefined ? [] : [{ param: `accept[${index}]`, text: `accept: ${wrong}` }]
  })

/** Tags that differ only in case are the same. */
export const checkTags: ExtraCheck = ({ tags }) => {
  const keys = (Array.isArray(tags) ? tags : []).map((tag) => tagKey(String(tag)))
  return new Set(keys).size === keys.length ? [] : [problem('tags', 'must not contain the same tag twice')]
}

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
  return parsed.problems.map((each) => ({ param: 'provenance', text: `provenance: ${each}` }))
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
