import { en } from './en/index.ts'

/** Every text of the pages. Another language is another folder beside `en`, and a row here. */
const LANGUAGES = { en } as const

export type Language = keyof typeof LANGUAGES
export type Texts = typeof en

const wanted = document.documentElement.lang

export const texts: Texts = LANGUAGES[isLanguage(wanted) ? wanted : 'en']

function isLanguage(name: string): name is Language {
  return name in LANGUAGES
}
