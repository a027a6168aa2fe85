import type { BinderInput } from './binder-input.ts'
import { count, exactSize, readableTime } from './readable-numbers.ts'
import { visibleText } from './visible-text.ts'

export interface Fact {
  readonly name: string
  readonly value: string
  readonly isCode: boolean
}

export function coverFacts(input: BinderInput): readonly Fact[] {
  // The reports of the service are in the inventory as well; nobody supplied them.
  const evidence = input.files.filter(({ path }) => path.startsWith('data/'))
  const total = evidence.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return [
    fact('Kit', input.kitId, true),
    fact('Job', input.jobId, true),
    fact('Issued', `${readableTime(input.issuedAt)}  (${input.issuedAt})`),
    fact('Issuer', input.issuer),
    fact('Key fingerprint', input.kid, true),
    fact('Workspace', input.workspace),
    fact('Label', input.label),
    fact('Profile', input.profile),
    fact('Evidence', `${count(evidence.length, 'file')}, ${exactSize(total)}`),
    fact('Format', input.receiptVersion),
  ].flatMap((one) => one ?? [])
}

const fact = (name: string, value: string | undefined, isCode = false): Fact | undefined =>
  value === undefined ? undefined : { name, value: visibleText(value), isCode }
