/** The languages of pages, mails and binders, by their own names. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
} as const

export type Language = keyof typeof LANGUAGES

/** The first of the wanted languages that there is, whatever its region; English if there is none. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted)
    for (const language of Object.keys(LANGUAGES) as Language[])
      if (primary(language) === primary(tag)) return language
  return 'en'
}

const primary = (tag: string): string | undefined => tag.toLowerCase().split('-', 1)[0]
