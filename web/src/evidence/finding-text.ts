import { rules } from '../texts/index.ts'

interface Said {
  readonly code: string
  readonly message: string
  readonly remedy: string
}

/** What the rule of a finding says, without the detail about one file. */
export const ruleText = ({ code, message }: Omit<Said, 'remedy'>): string =>
  ruleOf(code)?.message ?? ruleIn(message)

/** The detail about one file, in English, as the service says it. */
export const detailText = ({ message }: Pick<Said, 'message'>): string =>
  message.slice(ruleIn(message).length).trim()

/** A finding in the language of the page. The rules of a newer service stay in English. */
export function spoken<T extends Said>(finding: T): T {
  const rule = ruleOf(finding.code)
  if (rule === undefined) return finding
  return { ...finding, message: `${rule.message} ${detailText(finding)}`.trim(), remedy: rule.remedy }
}

const ruleOf = (code: string): { readonly message: string; readonly remedy: string } | undefined =>
  rules !== undefined && Object.hasOwn(rules, code) ? rules[code as keyof typeof rules] : undefined

const ruleIn = (message: string): string => /^.*?[.!?](?=\s|$)/.exec(message)?.[0] ?? message
