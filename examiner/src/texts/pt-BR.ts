import { details, things } from './pt-BR/details.ts'
import type { EvidenceTexts } from './evidence-texts.ts'
import { rules } from './pt-BR/rules.ts'

export const ptBR: EvidenceTexts = {
  rules,
  details,
  things,
  english: 'detalhe técnico em inglês: “{}”',
  stop: '.',
}
