import { type Problem, problem } from '../http/schema-problems.ts'

/** What a claim must be. Compared as text, case-sensitive. */
export type ClaimRule =
  | { readonly claim: string; readonly equals: string }
  | { readonly claim: string; readonly prefix: string }

/** Without a separator at its end, the prefix `repo:acme` would also match `repo:acme-evil/x`. */
const ENDS_WITH_SEPARATOR = /[/:@]$/

/** Of rules that may not be as the schema says. */
export function claimProblems(rules: readonly unknown[]): readonly Problem[] {
  return rules.flatMap((rule, at) => {
    const { equals, prefix } = (rule ?? {}) as Readonly<Record<string, unknown>>
    if ((equals === undefined) === (prefix === undefined))
      return [problem(`claims[${at}]`, 'must have either equals or prefix')]
    return typeof prefix !== 'string' || ENDS_WITH_SEPARATOR.test(prefix)
      ? []
      : [problem(`claims[${at}].prefix`, 'must end with "/", ":" or "@"')]
  })
}
