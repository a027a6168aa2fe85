import { classProblem, type FindingClasses } from '@kitseal/examiner'
import type { Plan, PlanChange } from '@kitseal/server'
import { type Input, onOff, wholeNumber } from './admin-group.ts'

export const LIMITS_USAGE = `  --api-access on|off        whether API keys of the workspace work
  --upload-limit-bytes N     maximum size of one submission
  --unpacked-limit-bytes N   maximum total size of unpacked files
  --unpacked-files N         maximum number of unpacked files
  --unpacked-ratio N         maximum ratio of unpacked to packed size
  --retention-days N|off     how long evidence is kept after its kit is issued
  --rate-per-minute N        requests per minute and workspace
  --storage-limit-bytes N|off maximum size of all submissions of a workspace together
  --mails-per-day N          mails to people who are not members, for each workspace
  --evidence-policy POLICY   open (default), or examined_only, which accepts only files that are examined completely
  --finding-class CODE=CLASS make a finding stricter: damage or danger; can be repeated. "off" removes all of them`

const TERABYTE = 1_099_511_627_776

/** Limits that are whole numbers: the option, the member of the plan, and the most. */
const NUMBERS = [
  ['upload-limit-bytes', 'uploadLimitBytes', TERABYTE],
  ['unpacked-limit-bytes', 'unpackedLimitBytes', TERABYTE],
  ['unpacked-files', 'unpackedFiles', 1_000_000],
  ['unpacked-ratio', 'unpackedRatio', 1_000_000],
  ['retention-days', 'retentionDays', 36_500],
  ['rate-per-minute', 'ratePerMinute', 10_000_000],
  ['storage-limit-bytes', 'storageLimitBytes', 1000 * TERABYTE],
  ['mails-per-day', 'mailsPerDay', 10_000_000],
] as const

export const LIMIT_OPTIONS = {
  ...Object.fromEntries(NUMBERS.map(([option]) => [option, 'one'] as const)),
  'api-access': 'one',
  'evidence-policy': 'one',
  'finding-class': 'many',
} as const

/** The limits that were given, as changes of a plan. */
export function readLimits(input: Input): PlanChange {
  const off = NUMBERS.filter(([option]) => isOptional(option) && input.value(option) === 'off')
  const numbers = NUMBERS.filter((each) => !off.includes(each))
  const limits = {
    ...readPolicy(input),
    apiAccess: onOff(input, 'api-access'),
    ...Object.fromEntries(numbers.map(([option, name, most]) => [name, wholeNumber(input, option, 1, most)])),
  }
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
  return { ...given, ...Object.fromEntries(off.map(([, name]) => [name, undefined])) }
}

const isOptional = (option: string): boolean =>
  option === 'retention-days' || option === 'storage-limit-bytes'

function readPolicy(input: Input): Pick<PlanChange, 'policy'> {
  const evidence = input.value('evidence-policy')
  if (evidence !== undefined && evidence !== 'open' && evidence !== 'examined_only')
    input.reject(`--evidence-policy must be open or examined_only, not ${JSON.stringify(evidence)}`)
  const given = input.values('finding-class')
  const classes: Record<string, FindingClasses[string]> = {}
  for (const each of given.filter((text) => text !== 'off')) {
    const [code = '', asked = ''] = each.split('=')
    const problem = classProblem(code, asked)
    if (problem !== undefined) input.reject(`--finding-class ${each}: ${problem}`)
    classes[code] = asked as FindingClasses[string]
  }
  if (evidence === undefined && given.length === 0) return {}
  return {
    policy: {
      ...(evidence === undefined ? {} : { evidence: evidence as 'open' | 'examined_only' }),
      ...(given.length === 0 ? {} : { classes }),
    },
  }
}

/** The limits by their names in the API. */
export async function limitsOf(plan: Plan) {
  const { planLimits } = await import('@kitseal/server')
  return { api_access: plan.apiAccess, ...planLimits(plan) }
}

export async function limitLines(plan: Plan): Promise<readonly string[]> {
  return Object.entries(await limitsOf(plan)).map(([name, value]) => `  ${name}: ${shown(value)}`)
}

function shown(value: string | number | boolean | null | Readonly<Record<string, string>>): string {
  if (value === null) return 'off'
  if (typeof value !== 'object') return String(value)
  return (
    Object.entries(value)
      .map((pair) => pair.join('='))
      .join(' ') || 'off'
  )
}
