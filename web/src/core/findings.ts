import type { Submission } from '@kitseal/client'
import * as evidence from '@kitseal/examiner/finding-text'
import { known } from './texts.ts'

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

type Reported = evidence.Reported & { readonly remedy: string }

/** What the rule of a finding says, without the detail about one file. */
export const ruleText = (finding: evidence.Reported): string => evidence.ruleText(finding, known)

/** The detail about one file. */
export const detailText = (finding: evidence.Reported): string => evidence.detailText(finding, known)

/** A finding in the language of the page. */
export const spoken = <T extends Reported>(finding: T): T => evidence.findingIn(finding, known)
