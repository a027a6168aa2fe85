import { type FindingClass, type RuleCode, RULES } from './rules.ts'

/** What a plan or a profile asks beyond the rules. It can make a rule stricter, never looser. */
export interface EvidencePolicy {
  /** `examined_only`: only files that are examined are accepted. */
  readonly evidence: 'open' | 'examined_only'
  /** Stricter classes by code. */
  readonly classes: FindingClasses
}

/** No policy makes a finding a secret. */
type PolicyClass = Exclude<FindingClass, 'secret'>

export type FindingClasses = Readonly<Record<string, PolicyClass>>

export const OPEN_POLICY: EvidencePolicy = { evidence: 'open', classes: {} }

/** What cannot be said of a file that is examined. */
const NOT_EXAMINED = new Set<RuleCode>(['unsupported_type', 'partly_examined'])

const CLASSES: readonly FindingClass[] = ['notice', 'damage', 'secret', 'danger']

const stricter = <T extends FindingClass>(a: T, b: T): T => (CLASSES.indexOf(a) > CLASSES.indexOf(b) ? a : b)

/** The class of a rule under a policy. */
export function classUnder({ evidence, classes }: EvidencePolicy, code: RuleCode): FindingClass {
  const { class: own } = RULES[code]
  const wanted = Object.hasOwn(classes, code) ? (classes[code] ?? own) : own
  if (evidence === 'examined_only' && NOT_EXAMINED.has(code)) return 'danger'
  return stricter(own, wanted)
}

/** Both policies at once. */
export function bothPolicies(a: EvidencePolicy, b: EvidencePolicy): EvidencePolicy {
  const classes: Record<string, PolicyClass> = { ...a.classes }
  for (const [code, wanted] of Object.entries(b.classes))
    classes[code] = stricter(wanted, classes[code] ?? 'notice')
  return { evidence: a.evidence === 'examined_only' ? a.evidence : b.evidence, classes }
}

/** Says why a plan or profile cannot set this class. Undefined if it can. */
export function classProblem(code: string, wanted: string): string | undefined {
  if (!Object.hasOwn(RULES, code) || code.startsWith('more_'))
    return `${JSON.stringify(code.slice(0, 60))} is not a finding code`
  if (wanted === 'secret' || !(CLASSES as readonly string[]).includes(wanted))
    return `the class of ${code} must be danger, damage or notice`
  const { class: own } = RULES[code as RuleCode]
  if (CLASSES.indexOf(wanted as FindingClass) < CLASSES.indexOf(own))
    return `${code} is ${own}; a policy can only make it stricter`
  return undefined
}
