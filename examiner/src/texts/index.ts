import type { Language } from '@kitseal/kit/internal'
import { de } from './de.ts'
import { es } from './es.ts'
import type { EvidenceTexts } from './evidence-texts.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { ptBR } from './pt-BR.ts'

export { sayFinding } from './evidence-texts.ts'

/** For programs that write in several languages. Pages load the one that they need. */
export const EVIDENCE_TEXTS: Readonly<Record<Language, EvidenceTexts | undefined>> = {
  en: undefined,
  de,
  fr,
  es,
  'pt-BR': ptBR,
  ja,
}
