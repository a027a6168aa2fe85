import type { EvidenceTexts } from '@kitseal/examiner/texts/evidence-texts'
import { language } from './language.ts'

/** Each language is a script of its own, so that a page loads only one. */
const LOADERS: Readonly<Record<string, () => Promise<EvidenceTexts>>> = {
  de: () => import('@kitseal/examiner/texts/de').then(({ de }) => de),
  fr: () => import('@kitseal/examiner/texts/fr').then(({ fr }) => fr),
  es: () => import('@kitseal/examiner/texts/es').then(({ es }) => es),
  'pt-BR': () => import('@kitseal/examiner/texts/pt-BR').then(({ ptBR }) => ptBR),
  ja: () => import('@kitseal/examiner/texts/ja').then(({ ja }) => ja),
}

/** Undefined in English: findings come with it. */
export let evidenceTexts: EvidenceTexts | undefined

export async function loadVerifierWords(): Promise<void> {
  evidenceTexts = await LOADERS[language]?.()
}
