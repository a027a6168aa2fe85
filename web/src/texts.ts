import { Texts } from '@kitseal/kit/texts/message'
import type { Translate } from '@kitseal/kit/texts/translate'
import { createElement, Fragment, type ReactElement } from 'react'
import type consoleTexts from '../../texts/en/console.json'
import type commonTexts from '../../texts/en/common.json'
import type publicTexts from '../../texts/en/public.json'
import { dateLanguage, language } from './language.ts'

type Key = keyof typeof commonTexts | keyof typeof consoleTexts | keyof typeof publicTexts

let messages: Readonly<Record<string, string>> = {}
let texts = new Texts({}, writing())

/** What the page says. Set before anything of it is loaded. */
export function setTexts(loaded: Readonly<Record<string, string>>): void {
  messages = loaded
  texts = new Texts(loaded, writing())
}

/** A message in the language of the page. */
export const t: Translate<Key> = (key, ...[args]) => known(key, args) ?? key

/** A message with elements in it. */
export const rich: Translate<Key, ReactElement, ReactElement> = (key, ...[args]) =>
  createElement(Fragment, null, ...(texts.rich<ReactElement>(key, args) ?? [key]))

/** For keys that come from the service, and may be newer than this page. */
export const known = (key: string, args?: Parameters<Texts['find']>[1]): string | undefined =>
  texts.find(key, args)

/** All messages below a key, by the rest of their keys. */
export const below = (key: string): readonly (readonly [name: string, text: string])[] =>
  Object.entries(messages)
    .filter(([name]) => name.startsWith(`${key}.`))
    .map(([name, text]) => [name.slice(key.length + 1), text])

function writing(): ConstructorParameters<typeof Texts>[1] {
  const numbers = new Intl.NumberFormat(language)
  const dates = new Intl.DateTimeFormat(dateLanguage, { dateStyle: 'medium' })
  const rules = new Intl.PluralRules(language)
  return {
    number: (value) => numbers.format(value),
    date: (value) => dates.format(value),
    plural: (value) => rules.select(value),
    list: (parts) => parts.join(language === 'ja' ? '、' : ', '),
  }
}
