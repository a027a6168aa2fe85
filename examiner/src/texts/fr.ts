import { details, things } from './fr/details.ts'
import type { EvidenceTexts } from './evidence-texts.ts'
import { rules } from './fr/rules.ts'

export const fr: EvidenceTexts = {
  rules,
  details,
  things,
  english: 'précision technique en anglais : « {} »',
  stop: '.',
}
