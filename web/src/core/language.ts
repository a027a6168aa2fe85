import { chooseLanguage, type Language, LANGUAGES } from '@kitseal/kit/internal'

const PARAMETER = 'lang'
const STORED = 'kitseal-language'

/** The language of this page: that of its link or of the link before it in this tab, then the reader's choice, then the browser's. */
export const language: Language = typeof document === 'undefined' ? 'en' : wantedLanguage()

/** The language in which dates are written. British for English, as in the docs: the day comes first. */
export const dateLanguage: string = language === 'en' ? 'en-GB' : language

function wantedLanguage(): Language {
  const linked = new URLSearchParams(location.search).get(PARAMETER)
  if (isLanguage(linked)) store(() => sessionStorage, linked)
  const wanted = [linked, stored(() => sessionStorage), stored(() => localStorage)].find(isLanguage)
  return wanted ?? chooseLanguage(navigator.languages)
}

/** Remembers the reader's choice, and loads the page again in that language. */
export function changeLanguage(chosen: Language): void {
  store(() => sessionStorage, chosen)
  store(() => localStorage, chosen)
  const url = new URL(location.href)
  if (url.searchParams.has(PARAMETER)) url.searchParams.set(PARAMETER, chosen)
  if (url.href === location.href) location.reload()
  else location.assign(url)
}

function isLanguage(name: string | null): name is Language {
  return name !== null && Object.hasOwn(LANGUAGES, name)
}

/** Browsers can refuse to store anything, even to say what is stored. */
function stored(storage: () => Storage): string | null {
  try {
    return storage().getItem(STORED)
  } catch {
    return null
  }
}

function store(storage: () => Storage, chosen: Language): void {
  try {
    storage().setItem(STORED, chosen)
  } catch {
    // The choice holds for this page only.
  }
}
