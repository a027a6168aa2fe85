import type { Language } from '@kitseal/kit'
import { setWords, type Words } from '@kitseal/kit/in-browser/words'
import type { en } from './en/index.ts'
import { language } from './language.ts'

export type Texts = typeof en

/** What a language has: the texts of the pages, and what verifiers say. */
type Loaded = Required<Omit<Words, 'language'>> & { readonly texts: Texts }

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

export async function loadTexts(): Promise<void> {
  const { texts: loaded, ...words } = await LOADERS[language]()
  texts = loaded
  setWords({ language, ...words })
}
