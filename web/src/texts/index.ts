import type { EvidenceTexts } from '@kitseal/examiner/texts/evidence-texts'
import type { Language } from '@kitseal/kit/internal'
import { setWords, type Words } from '@kitseal/kit/in-browser/words'
import type { Errors } from './errors.ts'
import { language } from './language.ts'
import type { Texts } from './texts.ts'

/** What a language has: the texts of the pages, and what verifiers, findings and errors of the service say. */
type Loaded = Required<Omit<Words, 'language'>> & {
  readonly texts: Texts
  readonly evidence?: EvidenceTexts
  readonly errors?: Errors
}

/** Each language is a script of its own, so that a page loads only one. */
const LOADERS: Readonly<Record<Language, () => Promise<Loaded>>> = {
  en: () => import('./en/index.ts').then(({ en: texts, ...words }) => ({ texts, ...words })),
  de: () => import('./de/index.ts').then(({ de: texts, ...words }) => ({ texts, ...words })),
  fr: () => import('./fr/index.ts').then(({ fr: texts, ...words }) => ({ texts, ...words })),
  es: () => import('./es/index.ts').then(({ es: texts, ...words }) => ({ texts, ...words })),
  'pt-BR': () => import('./pt-BR/index.ts').then(({ ptBR: texts, ...words }) => ({ texts, ...words })),
  ja: () => import('./ja/index.ts').then(({ ja: texts, ...words }) => ({ texts, ...words })),
}

/** Every text of the pages, in the reader's language. Set before any page is loaded. */
export let texts: Texts

/** Undefined in English: findings come with it. */
export let evidenceTexts: EvidenceTexts | undefined

/** Undefined in English: errors come with it. */
export let errors: Errors | undefined

export async function loadTexts(): Promise<void> {
  const { texts: loadedTexts, evidence, errors: loadedErrors, ...words } = await LOADERS[language]()
  texts = loadedTexts
  evidenceTexts = evidence
  errors = loadedErrors
  setWords({ language, ...words })
}
