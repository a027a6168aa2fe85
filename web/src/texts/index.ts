import type { Language } from '@kitseal/kit'
import type { en } from './en/index.ts'
import { language } from './language.ts'

export type Texts = typeof en

/** Each language is a script of its own, so that a page loads only one. */
const LOADERS: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => (await import('./en/index.ts')).en,
  de: async () => (await import('./de/index.ts')).de,
  fr: async () => (await import('./fr/index.ts')).fr,
  es: async () => (await import('./es/index.ts')).es,
  'pt-BR': async () => (await import('./pt-BR/index.ts')).ptBR,
  ja: async () => (await import('./ja/index.ts')).ja,
}

/** Every text of the pages, in the reader's language. Set before any page is loaded. */
export let texts: Texts

export async function loadTexts(): Promise<void> {
  texts = await LOADERS[language]()
}
