import * as evidence from '@kitseal/examiner/finding-text'
import { known } from './texts.ts'

type Reported = evidence.Reported & { readonly remedy: string }

/** What the rule of a finding says, without the detail about one file. */
export const ruleText = (finding: evidence.Reported): string => evidence.ruleText(finding, known)

/** The detail about one file. */
export const detailText = (finding: evidence.Reported): string => evidence.detailText(finding, known)

/** A finding in the language of the page. */
export const spoken = <T extends Reported>(finding: T): T => evidence.findingIn(finding, known)
