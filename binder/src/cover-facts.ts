import type { BinderInput } from './binder-input.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { formatExactBytes, formatTime, type Words } from './words.ts'

export interface Fact {
  readonly name: string
  readonly value: string
  readonly isCode: boolean
}

export function coverFacts(input: BinderInput, words: Words): readonly Fact[] {
  const { t } = words
  // The inventory also lists the reports, which the service adds.
  const evidence = input.files.filter(({ path }) => path.startsWith('data/'))
  const total = evidence.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return [
    fact(t('binder.facts.kit'), input.kitId, true),
    fact(t('binder.facts.job'), input.jobId, true),
    fact(t('binder.facts.issued'), `${formatTime(input.issuedAt, words)}  (${input.issuedAt})`),
    fact(t('binder.facts.issuer'), input.issuer),
    fact(t('binder.facts.key'), input.kid, true),
    fact(t('binder.facts.caller'), input.isAnonymous === true ? t('kit.anonymous') : undefined),
    fact(t('binder.facts.supplierNamed'), input.supplier?.name),
    ...requestFacts(input, words),
    fact(t('binder.facts.workspace'), input.workspace),
    fact(t('binder.facts.name'), input.label),
    fact(t('binder.facts.profile'), input.profile),
    fact(t('binder.facts.replaces'), input.replacesKitId, true),
    fact(
      t('binder.facts.evidence'),
      [t('binder.files', { count: evidence.length }), formatExactBytes(total, words)].join(
        t('binder.listComma'),
      ),
    ),
    fact(t('binder.facts.format'), input.receiptVersion),
  ].flatMap((one) => one ?? [])
}

/** Who sent files through the link of a request is not known. */
const requestFacts = ({ supplier, requestedBy }: BinderInput, { t }: Words): readonly (Fact | undefined)[] =>
  requestedBy === undefined
    ? []
    : [
        supplier == null ? fact(t('binder.facts.supplier'), t('kit.byLink')) : undefined,
        fact(t('binder.facts.requester'), requestedBy.name),
      ]

export const fact = (name: string, value: string | undefined, isCode = false): Fact | undefined =>
  value === undefined ? undefined : { name, value: escapeInvisible(value), isCode }
