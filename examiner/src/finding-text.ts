import type { Values } from '@kitseal/kit/internal'

/** A message, as services send it. */
interface Detail {
  readonly key: string
  readonly args?: Readonly<Record<string, unknown>>
}

/** A finding, or a blocker. One of an older service has no `args`, and stays in English. */
export interface Reported {
  readonly code: string
  readonly message: string
  readonly args?: { readonly detail?: Detail } | undefined
}

/** Writes a message of findings.json in the language of the reader. Undefined if the reader does not know it. */
export type Find = (key: string, args?: Values) => string | undefined

/** What the rule of a finding says, without the detail about one file. */
export const ruleText = ({ code, message, args }: Reported, find: Find): string =>
  (args && find(`finding.${code}.message`)) ?? message

/** The detail about one file. English pages do not load what the findings bring with them. */
export function detailText(finding: Reported, find: Find): string {
  const rule = ruleText(finding, find)
  const { message, args } = finding
  if (args?.detail === undefined) return ''
  const text = detailIn(args.detail, find)
  if (text === undefined) return message.startsWith(rule) ? message.slice(rule.length).trim() : message
  const detail = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?…。]$/.test(detail) ? detail : (find('finding.sentence', { detail }) ?? detail)
}

/** A finding in the language of the reader; as the service says it, if the reader does not know a message of it. */
export function findingIn<T extends Reported & { readonly remedy: string }>(finding: T, find: Find): T {
  const { code, args } = finding
  const remedy = args && find(`finding.${code}.remedy`)
  const isKnown = args?.detail === undefined || detailIn(args.detail, find) !== undefined
  if (remedy === undefined || !isKnown) return finding
  const message = ruleText(finding, find)
  const detail = detailText(finding, find)
  return {
    ...finding,
    message: detail === '' ? message : (find('finding.withDetail', { message, detail }) ?? message),
    remedy,
  }
}

/** What the formatter does not expect in arguments, it writes as text. */
const detailIn = ({ key, args }: Detail, find: Find): string | undefined => find(key, args as Values)
