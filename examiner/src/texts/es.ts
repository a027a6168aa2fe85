import { details, things } from './es/details.ts'
import type { EvidenceTexts } from './evidence-texts.ts'
import { rules } from './es/rules.ts'

export const es: EvidenceTexts = {
  rules,
  details,
  things,
  english: 'detalle técnico en inglés: «{}»',
  stop: '.',
}
