import type { Submission } from '@kitseal/client'

export type Blocker = Submission['blockers'][number]

export type Finding = Submission['findings'][number]

/** A danger is never acknowledged. */
export const isBlocking = (finding: Finding): boolean => finding.class !== 'notice' && !finding.acknowledged

/** What the rule says, without the detail about one file. */
export const ruleOf = (message: string): string => /^.*?[.!?](?=\s|$)/.exec(message)?.[0] ?? message

export const secretsIn = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((finding) => finding.class === 'secret')

/** A blocker with all its paths. */
export interface BlockerGroup extends Omit<Blocker, 'path'> {
  /** Empty for a blocker of the whole submission. */
  readonly paths: readonly string[]
}

/** Merges blockers with the same text, in order of their first path. */
export function groupBlockers(blockers: readonly Blocker[]): readonly BlockerGroup[] {
  const groups = Map.groupBy(blockers, ({ code, message, remedy }) => JSON.stringify([code, message, remedy]))
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike
    if (first === undefined) return []
    const { code, message, remedy } = first
    return { code, message, remedy, paths: alike.flatMap(({ path }) => path ?? []) }
  })
}

/** The list is truncated, so files that are not in it may have blockers too. */
export const isTruncated = (blockers: readonly Blocker[]): boolean =>
  blockers.some(({ code }) => code === 'more_blockers')

/** The number of listed blockers, without the entry that says there are more. */
export const countListed = (blockers: readonly Blocker[]): number =>
  blockers.length - Number(isTruncated(blockers))
