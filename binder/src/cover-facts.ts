import type { BinderInput } from './binder-input.ts'
import { counted, formatExactBytes, formatList, formatTime } from './format-values.ts'
import { escapeInvisible } from './escape-invisible.ts'
import type { Words } from './texts/index.ts'

export interface Fact {
  readonly name: string
  readonly value: string
  readonly isCode: boolean
}

export function coverFacts(input: BinderInput, words: Words): readonly Fact[] {
  const { binder: t, say, language } = words
  // The inventory also lists the reports, which the service adds.
  const evidence = input.files.filter(({ path }) => path.startsWith('data/'))
  const total = evidence.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return [
    fact(t.facts.kit, input.kitId, true),
    fact(t.facts.job, input.jobId, true),
    fact(t.facts.issued, `${formatTime(input.issuedAt, language)}  (${input.issuedAt})`),
    fact(t.facts.issuer, input.issuer),
    fact(t.facts.key, input.kid, true),
    fact(t.facts.caller, input.isAnonymous === true ? say('kit.anonymous') : undefined),
    fact(t.facts.supplierNamed, input.supplier?.name),
    ...requestFacts(input, words),
    fact(t.facts.workspace, input.workspace),
    fact(t.facts.name, input.label),
    fact(t.facts.profile, input.profile),
    fact(t.facts.replaces, input.replacesKitId, true),
    fact(
      t.facts.evidence,
      formatList([counted(evidence.length, t.files, language), formatExactBytes(total, words)], language),
    ),
    fact(t.facts.format, input.receiptVersion),
  ].flatMap((one) => one ?? [])
}

/** Who sent files through the link of a request is not known. */
const requestFacts = (
  { supplier, requestedBy }: BinderInput,
  { binder: t, say }: Words,
): readonly (Fact | undefined)[] =>
  requestedBy === undefined
    ? []
    : [
        supplier == null ? fact(t.facts.supplier, say('kit.byLink')) : undefined,
        fact(t.facts.requester, requestedBy.name),
      ]

export const fact = (name: string, value: string | undefined, isCode = false): Fact | undefined =>
  value === undefined ? undefined : { name, value: escapeInvisible(value), isCode }
