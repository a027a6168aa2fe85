import type page from '../../texts/en/page.json'
import type publicTexts from '../../texts/en/public.json'
import { formatBytes } from '../src/format-bytes.ts'
import type { Language } from '../src/languages.ts'
import type { Translate, VerifierKey } from '../src/texts/english.ts'
import { type Message, Texts, type Values } from '../src/texts/message.ts'

/** On pages of a service, also what is said of receipts without files, and of the kit that they are for. */
type Key = VerifierKey | keyof typeof page | keyof typeof publicTexts

let chosen: Language = 'en'
let texts: Texts

/** The language of the page, chosen before it showed anything. */
export const language = (): Language => chosen

export function setTexts(wanted: Language, messages: Readonly<Record<string, string>>): void {
  const numbers = new Intl.NumberFormat(wanted)
  // British for English, as in the docs: the day comes first.
  const dates = new Intl.DateTimeFormat(wanted === 'en' ? 'en-GB' : wanted, { dateStyle: 'medium' })
  const rules = new Intl.PluralRules(wanted)
  chosen = wanted
  texts = new Texts(messages, {
    number: (value) => numbers.format(value),
    date: (value) => dates.format(value),
    plural: (value) => rules.select(value),
    list: joinList,
  })
}

/** A message in the language of the page. */
export const t: Translate<Key> = (key, ...[args]) => known(key, args) ?? key

/** For keys that come from elsewhere, and may be newer than this page. */
export const known = (key: string, args?: Values): string | undefined => texts.find(key, args)

/** The parts of a message with elements in it. */
export const rich = <T>(key: string, args?: Values<T>): readonly (string | T)[] =>
  texts.rich(key, args) ?? [key]

/** Japanese has a comma of its own, and no spaces between sentences. */
export const joinList = (parts: readonly string[]): string => parts.join(chosen === 'ja' ? '、' : ', ')
export const sentences = (parts: readonly string[]): string => parts.join(chosen === 'ja' ? '' : ' ')

export const sizeText = (bytes: number): string => formatBytes(bytes, chosen)

/** A reason of a report in the language of the page. One that this page does not know stays English. */
export const reasonText = (english: string, message?: Message | null): string =>
  (message && chosen !== 'en' ? known(message.key, message.args) : undefined) ?? english

/** An error of a report: its code, and why in the language of the page. */
export function errorText(error: string, message?: Message | null): string {
  const at = error.indexOf(' ') + 1
  return error.slice(0, at) + reasonText(error.slice(at), message)
}
