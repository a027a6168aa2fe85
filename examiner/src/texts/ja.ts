import { details, things } from './ja/details.ts'
import type { EvidenceTexts } from './evidence-texts.ts'
import { rules } from './ja/rules.ts'

export const ja: EvidenceTexts = { rules, details, things, english: '技術的な詳細（英語）：{}', stop: '。' }
