import { type LogPolicy, type Quorum, vkey } from '@kitseal/kit/internal'
import { printable } from './terminal.ts'

/** The witnesses and the quorum of a policy, one line each. */
export function policyLines({ witnesses, quorum }: LogPolicy): readonly string[] {
  return [
    ...witnesses.map(({ name, key }) => `  witness   ${printable(name)}: ${printable(vkey(key))}`),
    `  quorum    ${printable(quorumText(quorum))}`,
  ]
}

/** `2 of (a, b, c)`. */
export function quorumText(quorum: Quorum | undefined): string {
  if (quorum === undefined) return 'none'
  if (typeof quorum === 'string') return quorum
  return `${quorum.threshold} of (${quorum.members.map(quorumText).join(', ')})`
}
