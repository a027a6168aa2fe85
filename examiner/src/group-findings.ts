import { groupBy } from '@kitseal/kit/internal'

/** A finding, or a blocker, which has neither class nor acknowledgement. */
export interface Groupable {
  readonly code: string
  readonly class?: string
  readonly path?: string | null | undefined
  readonly message: string
  readonly remedy: string
  readonly acknowledged?: boolean
}

/** Equal findings. The members are those of the first. */
export type FindingGroup<F extends Groupable> = F & {
  readonly count: number
  /** Empty for the submission as a whole. */
  readonly paths: readonly string[]
}

/** Merges findings that differ in their path alone, in the order of the first of each, so secrets and blockers stay first. */
export function groupFindings<F extends Groupable>(findings: readonly F[]): readonly FindingGroup<F>[] {
  const groups = groupBy(findings, (one) =>
    JSON.stringify([one.code, one.class, one.message, one.remedy, one.acknowledged]),
  )
  return [...groups.values()].map(merged)
}

const merged = <F extends Groupable>(alike: readonly F[]): FindingGroup<F> => ({
  ...alike[0]!,
  count: alike.length,
  paths: alike.flatMap(({ path }) => path || []),
})

/** Paths that are shown where there is no room for all. */
export const FIRST_PATHS = 5

/** "a.txt, b.txt and 3 more" */
export function firstPathsText({ paths }: Pick<FindingGroup<Groupable>, 'paths'>): string {
  const rest = paths.length - FIRST_PATHS
  // "and 1 more" would take as much space as the path itself.
  if (rest <= 1) return paths.join(', ')
  return `${paths.slice(0, FIRST_PATHS).join(', ')} and ${rest.toLocaleString('en')} more`
}
