import { evidenceTexts } from './verifier-words.ts'
import * as evidence from '@kitseal/examiner/texts/evidence-texts'

interface Said {
  readonly code: string
  readonly message: string
  readonly remedy: string
}

/** What the rule of a finding says, without the detail about one file. */
export const ruleText = (finding: Omit<Said, 'remedy'>): string => evidence.ruleText(finding, evidenceTexts)

/** The detail about one file. */
export const detailText = (finding: Pick<Said, 'message'>): string =>
  evidence.detailText(finding, evidenceTexts)

/** A finding in the language of the page. */
export const spoken = <T extends Said>(finding: T): T => evidence.sayFinding(finding, evidenceTexts)
