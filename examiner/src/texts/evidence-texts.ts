import { translatePhrase } from '@kitseal/kit/internal'
import type { RuleCode } from '../rules.ts'
import { DETAILS, THINGS } from './details.ts'

/** What each rule about evidence says, and what to do. */
export type Rules = Readonly<Record<RuleCode, { readonly message: string; readonly remedy: string }>>
export type Details = Readonly<Record<keyof typeof DETAILS, string>>
export type Things = Readonly<Record<keyof typeof THINGS, string>>

/** What findings say in a language. English is in the findings. */
export interface EvidenceTexts {
  readonly rules: Rules
  readonly details: Details
  readonly things: Things
  /** Around a detail that has no translation. */
  readonly english: string
  /** The end of a sentence. */
  readonly stop: string
}

interface Said {
  readonly code: string
  readonly message: string
}

/** What the rule of a finding says, without the detail about one file. The rules of a newer service stay in English. */
export const ruleText = ({ code, message }: Said, texts?: EvidenceTexts): string =>
  ruleOf(code, texts)?.message ?? ruleIn(message)

/** The detail about one file. */
export function detailText({ message }: Pick<Said, 'message'>, texts?: EvidenceTexts): string {
  const detail = message.slice(ruleIn(message).length).trim()
  if (texts === undefined || detail === '') return detail
  const plain = detail.replace(/\.$/, '')
  const said = sayDetail(plain, texts) ?? texts.english.replace('{}', () => plain)
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${said.endsWith('…') ? '' : texts.stop}`
}

/** A finding in another language. */
export function sayFinding<T extends Said & { readonly remedy: string }>(
  finding: T,
  texts: EvidenceTexts | undefined,
): T {
  const rule = ruleOf(finding.code, texts)
  if (rule === undefined) return finding
  return {
    ...finding,
    message: [rule.message, detailText(finding, texts)].filter(Boolean).join(texts?.stop === '。' ? '' : ' '),
    remedy: rule.remedy,
  }
}

/** A list of five secrets is nested that deep. Names in evidence may contain what looks like a longer one. */
const MAX_DEPTH = 8

/** Undefined if no detail of the table fits. What a gap names may be a detail or a thing itself. */
function sayDetail(text: string, texts: EvidenceTexts, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  const inGap = (gap: string): string =>
    sayDetail(gap, texts, depth + 1) ?? translatePhrase(gap, THINGS, texts.things, inGap)
  const said = translatePhrase(text, DETAILS, texts.details, inGap)
  return said === text ? undefined : said
}

const ruleOf = (code: string, texts?: EvidenceTexts): Rules[RuleCode] | undefined =>
  texts !== undefined && Object.hasOwn(texts.rules, code) ? texts.rules[code as RuleCode] : undefined

const ruleIn = (message: string): string => /^.*?[.!?](?=\s|$)/.exec(message)?.[0] ?? message
