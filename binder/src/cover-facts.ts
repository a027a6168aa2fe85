import { ANONYMOUS_CALLER, SUPPLIER_BY_LINK } from '@kitseal/kit'
import type { BinderInput } from './binder-input.ts'
import { count, formatExactBytes, formatTime } from './format-values.ts'
import { escapeInvisible } from './escape-invisible.ts'

export interface Fact {
  readonly name: string
  readonly value: string
  readonly isCode: boolean
}

export function coverFacts(input: BinderInput): readonly Fact[] {
  // The inventory also lists the reports, which the service adds.
  const evidence = input.files.filter(({ path }) => path.startsWith('data/'))
  const total = evidence.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return [
    fact('Kit', input.kitId, true),
    fact('Job', input.jobId, true),
    fact('Issued', `${formatTime(input.issuedAt)}  (${input.issuedAt})`),
    fact('Issuer', input.issuer),
    fact('Key fingerprint', input.kid, true),
    fact('Caller', input.isAnonymous === true ? ANONYMOUS_CALLER : undefined),
    fact('Supplier (named in the kit)', input.supplier?.name),
    ...requestFacts(input),
    fact('Workspace', input.workspace),
    fact('Name', input.label),
    fact('Profile', input.profile),
    fact('Replaces kit', input.replacesKitId, true),
    fact('Evidence', `${count(evidence.length, 'file')}, ${formatExactBytes(total)}`),
    fact('Format', input.receiptVersion),
  ].flatMap((one) => one ?? [])
}

/** Who sent files through the link of a request is not known. */
const requestFacts = ({ supplier, requestedBy }: BinderInput): readonly (Fact | undefined)[] =>
  requestedBy === undefined
    ? []
    : [
        supplier == null ? fact('Supplier', SUPPLIER_BY_LINK) : undefined,
        fact('Requester (named in the kit)', requestedBy.name),
      ]

export const fact = (name: string, value: string | undefined, isCode = false): Fact | undefined =>
  value === undefined ? undefined : { name, value: escapeInvisible(value), isCode }
