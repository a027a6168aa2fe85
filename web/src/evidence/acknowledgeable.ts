import type { Finding } from '../console/blocker-groups.ts'

/** A code that the supplier can acknowledge, and how many findings have it. */
export interface Acknowledgeable {
  readonly code: string
  readonly count: number
}

/** Damage by code: to files, and to the submission as a whole, such as a profile item without files. */
export function acknowledgeable(
  findings: readonly Finding[],
): Readonly<Record<'files' | 'items', readonly Acknowledgeable[]>> {
  const damage = findings.filter((one) => one.class === 'damage')
  return {
    files: byCode(damage.filter(({ path }) => path !== null)),
    items: byCode(damage.filter(({ path }) => path === null)),
  }
}

const byCode = (findings: readonly Finding[]): readonly Acknowledgeable[] =>
  [...Map.groupBy(findings, ({ code }) => code)].map(([code, alike]) => ({ code, count: alike.length }))
