import { details, things } from './de/details.ts'
import type { EvidenceTexts } from './evidence-texts.ts'
import { rules } from './de/rules.ts'

export const de: EvidenceTexts = {
  rules,
  details,
  things,
  english: 'technische Angabe auf Englisch: „{}“',
  stop: '.',
}
