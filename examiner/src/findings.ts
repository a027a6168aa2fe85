import { INVISIBLE, type Message, type Reason, textOf, type Value, type Why } from '@kitseal/kit/internal'
import { classUnder, type EvidencePolicy, OPEN_POLICY } from './policy.ts'
import { type Finding, type FindingClass, type RuleCode, RULES, sentencesOf } from './rules.ts'

/** A finding about a submission, as the API returns it. */
export interface FindingRecord {
  readonly code: RuleCode
  readonly class: FindingClass
  /** The name of the supplied file, followed by the path inside it for archives. Null for the submission as a whole. */
  readonly path: string | null
  readonly message: string
  readonly remedy: string
  /** What stands in the message beside the rule, for readers in other languages. They find the rule by its code. */
  readonly args: { readonly detail?: Message }
  /** Whether the supplier accepted it. */
  readonly acknowledged: boolean
}

/** A finding that prevents a kit from being issued. */
export type Blocker = Omit<FindingRecord, 'class' | 'acknowledged'>

/** The codes that a supplier acknowledges. */
export type Accepted = ReadonlySet<string>

export function findingRecord(
  path: string | null,
  { code, detail }: Finding,
  accepted: Accepted = new Set(),
  policy: EvidencePolicy = OPEN_POLICY,
): FindingRecord {
  const kind = classUnder(policy, code)
  return {
    code,
    class: kind,
    path: path === null ? null : escapeInvisible(path),
    ...sentencesFor(code, detail),
    acknowledged: kind !== 'danger' && accepted.has(code),
  }
}

/** Message and remedy of a code, with the detail. */
function sentencesFor(code: string, detail?: Why): Pick<FindingRecord, 'message' | 'remedy' | 'args'> {
  const { message, remedy } = sentencesOf(code)
  if (detail === undefined) return { message, remedy, args: {} }
  const text = `${message} ${sentence(escapeInvisible(textOf(detail)))}`
  return { message: text, remedy, args: { detail: messageOf(detail) } }
}

/** A blocker that concerns the whole submission, and is no rule about evidence. */
export const ownBlocker = <Code extends string>(code: Code, detail?: Why) => ({
  code,
  path: null,
  ...sentencesFor(code, detail),
})

/** A danger is never acknowledged. */
export function isBlocking(finding: Pick<FindingRecord, 'class' | 'acknowledged'>): boolean {
  return finding.class !== 'notice' && !finding.acknowledged
}

export function asBlocker({ code, path, message, remedy, args }: FindingRecord): Blocker {
  return { code, path, message, remedy, args }
}

/** Says why a code cannot be acknowledged. Undefined if it can. */
export function acceptProblem(code: string): string | undefined {
  if (!Object.hasOwn(RULES, code)) return `${JSON.stringify(code.slice(0, 60))} is not a finding code`
  if (RULES[code as RuleCode].class === 'danger') return `${code} is a danger and cannot be accepted`
  return undefined
}

/** Escapes control and invisible characters in untrusted text, and limits its length. */
export function escapeInvisible(text: string): string {
  const truncated = text.length > 1200 ? `${text.slice(0, 1200)}…` : text
  return truncated.toWellFormed().replace(CONTROL_OR_INVISIBLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

const CONTROL_OR_INVISIBLE = new RegExp(`[\\p{Cc}${INVISIBLE.withoutWidth}]`, 'gu')

/** What stands in arguments is data, and as untrusted as the rest. */
function messageOf(detail: Why): Message {
  if (typeof detail === 'string') return { key: 'detail.text', args: { text: escapeInvisible(detail) } }
  const args = Object.entries(detail.args).map(([name, value]) => [name, escaped(value)])
  return { key: detail.key, args: Object.fromEntries(args) }
}

function escaped(value: Value): Value {
  if (typeof value === 'string') return escapeInvisible(value)
  if (Array.isArray(value)) return value.map((one) => escaped(one as Value) as string | Message)
  return typeof value === 'object' && 'key' in value ? messageOf(value as Reason) : value
}

function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}
