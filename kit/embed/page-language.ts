import verifier from '../../texts/en/verifier.json' with { type: 'json' }
import { type Language, LANGUAGES } from '../src/languages.ts'
import { fromBase64 } from '../src/encoding/bytes.ts'
import { byId, element } from './elements.ts'
import { known, setTexts, t } from './words.ts'

/** The English page, as it was loaded. */
interface EnglishPage {
  readonly title: string
  readonly texts: ReadonlyMap<HTMLElement, readonly Node[]>
  readonly labels: ReadonlyMap<HTMLElement, string>
}

let english: EnglishPage | undefined

/** The messages of each language: in the order of verifier.json, then in that of `page`. */
export type Translations = Readonly<Record<string, readonly (string | null)[]>> & {
  readonly page: readonly string[]
}

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
  const isEnglish = language === 'en'
  setTexts(language, isEnglish ? verifier : { ...verifier, ...(await messagesIn(language)) })
  title = known('page.title') ?? english.title
  document.documentElement.lang = language
  document.title = title
  for (const [place, nodes] of english.texts) {
    const text = known(`page.${place.dataset['text']}`)
    place.replaceChildren(
      ...(text === undefined ? nodes.map((node) => node.cloneNode(true)) : marked(text, names)),
    )
  }
  for (const [place, label] of english.labels)
    place.ariaLabel = known(`page.${place.dataset['label']}`) ?? label
  byId('boundary').textContent = t('kit.boundary')
}

async function messagesIn(language: Language): Promise<Readonly<Record<string, string>>> {
  const { page, [language]: messages = [] } = await (translations ??= unpack())
  const keys = [...Object.keys(verifier), ...page]
  return Object.fromEntries(
    messages.flatMap((text, index) => (text === null ? [] : [[keys[index] ?? '', text]])),
  )
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

/** `*bold*` and `` `code` `` as elements, never as markup. */
function marked(text: string, names: Readonly<Record<string, string>>): readonly (Node | string)[] {
  return text.split(/(\*[^*]+\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('*')) return element('b', {}, names[part.slice(1, -1)] ?? part.slice(1, -1))
    return part.startsWith('`') ? element('code', {}, part.slice(1, -1)) : part
  })
}
