import type { Submission } from '@kitseal/client'

export type Blocker = Submission['blockers'][number]

export type Finding = Submission['findings'][number]

/** A danger is never acknowledged. */
export const isBlocking = (finding: Finding): boolean => finding.class !== 'notice' && !finding.acknowledged

export const secretsIn = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((finding) => finding.class === 'secret')

/** The list is truncated, so files that are not in it may have blockers too. */
export const isTruncated = (blockers: readonly Blocker[]): boolean =>
  blockers.some(({ code }) => code === 'more_blockers')

/** The number of listed blockers, without the entry that says there are more. */
export const countListed = (blockers: readonly Blocker[]): number =>
  blockers.length - Number(isTruncated(blockers))
