import { type Finding, secretsIn, ruleText } from '../../core/findings.ts'

/** A code that the supplier can acknowledge, what it means, and how many findings have it. */
export interface Acknowledgeable {
  readonly code: string
  readonly rule: string
  readonly count: number
}

/** By code: secrets, damage to files, and damage to the submission as a whole, such as a profile item without files. */
export function acknowledgeable(
  findings: readonly Finding[],
): Readonly<Record<'secrets' | 'files' | 'items', readonly Acknowledgeable[]>> {
  const damage = findings.filter((one) => one.class === 'damage')
  return {
    secrets: byCode(secretsIn(findings)),
    files: byCode(damage.filter(({ path }) => path !== null)),
    items: byCode(damage.filter(({ path }) => path === null)),
  }
}

const byCode = (findings: readonly Finding[]): readonly Acknowledgeable[] =>
  [...Map.groupBy(findings, ({ code }) => code)].map(([code, alike]) => ({
    code,
    rule: alike[0] === undefined ? '' : ruleText(alike[0]),
    count: alike.length,
  }))
