import { type Language, LANGUAGES } from '../src/languages.ts'
import { fromBase64 } from '../src/encoding/bytes.ts'
import { en as kitEnglish } from '../src/texts/en.ts'
import { byId, element } from './elements.ts'
import type { PageTexts } from './page-texts/en.ts'
import type { Translations } from './page-texts/index.ts'
import { en as viewEnglish } from './texts/en.ts'
import { setWords, words } from './words.ts'

/** The English page, as it was loaded. */
interface EnglishPage {
  readonly title: string
  readonly texts: ReadonlyMap<HTMLElement, readonly Node[]>
  readonly labels: ReadonlyMap<HTMLElement, string>
}

let english: EnglishPage | undefined

/** The other languages: JSON, compressed by the build. */
declare const PACKED_TRANSLATIONS: string

let translations: Promise<Translations> | undefined
let title = ''

async function unpack(): Promise<Translations> {
  const packed = new Blob([fromBase64(PACKED_TRANSLATIONS) ?? new Uint8Array()])
  return new Response(packed.stream().pipeThrough(new DecompressionStream('deflate-raw'))).json()
}

/** Writes the page in this language. `names` stand for the words of the same name. */
export async function showLanguage(
  language: Language,
  names: Readonly<Record<string, string>>,
): Promise<void> {
  english ??= readPage()
  const translated = language === 'en' ? undefined : (await (translations ??= unpack()))[language]
  const texts = translated?.page
  setWords({ language, kit: translated?.kit ?? kitEnglish, view: translated?.view ?? viewEnglish })
  title = texts?.title ?? english.title
  document.documentElement.lang = language
  document.title = title
  for (const [place, nodes] of english.texts)
    if (place.dataset['text'] !== undefined)
      place.replaceChildren(
        ...(texts === undefined
          ? nodes.map((node) => node.cloneNode(true))
          : marked(textOf(texts, place), names)),
      )
  for (const [place, label] of english.labels)
    place.ariaLabel = texts?.[place.dataset['label'] as keyof PageTexts] ?? label
  byId('boundary').textContent = words.kit.boundary
}

export const pageTitle = (): string => title

/** Lists the languages by their own names. */
export function languageMenu(chosen: Language, onChange: (language: Language) => void): void {
  const menu = byId<HTMLSelectElement>('language')
  menu.append(
    ...Object.entries(LANGUAGES).map(([value, name]) => element('option', { value, lang: value }, name)),
  )
  menu.value = chosen
  menu.addEventListener('change', () => onChange(menu.value as Language))
  byId('languages').hidden = false
}

const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)]

function readPage(): EnglishPage {
  return {
    title: document.title,
    texts: new Map(
      all('[data-text]').map((place) => [place, [...place.childNodes].map((node) => node.cloneNode(true))]),
    ),
    labels: new Map(all('[data-label]').map((place) => [place, place.ariaLabel ?? ''])),
  }
}

const textOf = (texts: PageTexts, { dataset }: HTMLElement): string =>
  texts[dataset['text'] as keyof PageTexts]

/** `*bold*` and `` `code` `` as elements, never as markup. */
function marked(text: string, names: Readonly<Record<string, string>>): readonly (Node | string)[] {
  return text.split(/(\*[^*]+\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('*')) return element('b', {}, names[part.slice(1, -1)] ?? part.slice(1, -1))
    return part.startsWith('`') ? element('code', {}, part.slice(1, -1)) : part
  })
}
