import { formatBytes } from '../src/format-bytes.ts'
import type { Language } from '../src/languages.ts'
import type { KitTexts } from '../src/texts/en.ts'
import { fill } from '../src/texts/fill.ts'
import { translatePhrase } from '../src/texts/phrase.ts'
import { en, type ServiceTexts, type ViewTexts } from './texts/en.ts'

export interface Words {
  readonly language: Language
  readonly kit: KitTexts
  readonly view: ViewTexts
  /** Only on pages of a service. */
  readonly service?: ServiceTexts
}

/** What a page says, in the language that it chose before it showed anything. */
export let words: Words

export function setWords(chosen: Words): void {
  words = chosen
}

export function serviceWords(): ServiceTexts {
  if (words.service === undefined) throw new Error('this page is not one of a service')
  return words.service
}

/** "2 files". */
export function counted(
  count: number,
  { one, other }: { readonly one: string; readonly other: string },
): string {
  const isOne = new Intl.PluralRules(words.language).select(count) === 'one'
  return fill(isOne ? one : other, { count: count.toLocaleString(words.language) })
}

/** Japanese has a comma of its own, and no spaces between sentences. */
export const listed = (parts: readonly string[]): string => parts.join(words.language === 'ja' ? '、' : ', ')
export const sentences = (parts: readonly string[]): string => parts.join(words.language === 'ja' ? '' : ' ')

export const sizeText = (bytes: number): string => formatBytes(bytes, words.language)

/** An error of a report: its code, and why in the language of the page. */
export function errorText(error: string): string {
  const at = error.indexOf(' ') + 1
  return error.slice(0, at) + reasonText(error.slice(at))
}

/** A sentence of a report in the language of the page. One that is not in the table stays English. */
export const reasonText = (text: string): string =>
  translatePhrase(text, en.reasons, words.view.reasons, reasonText)
