import * as page from '@kitseal/kit/in-browser/words'
import type { Translate } from '@kitseal/kit/internal'
import { createElement, Fragment, type ReactElement } from 'react'
import type commonTexts from '../../../texts/en/common.json'
import type consoleTexts from '../../../texts/en/console.json'
import type publicTexts from '../../../texts/en/public.json'
import type verifierTexts from '../../../texts/en/verifier.json'
import { language } from './language.ts'

export type Key =
  | keyof typeof commonTexts
  | keyof typeof consoleTexts
  | keyof typeof publicTexts
  | keyof typeof verifierTexts

/** The names of the messages below a key. */
export type Below<Group extends string> = Key extends infer Each
  ? Each extends `${Group}.${infer Name}`
    ? Name
    : never
  : never

let messages: Readonly<Record<string, string>> = {}

/** What the page says. Set before anything of it is loaded. */
export function setTexts(loaded: Readonly<Record<string, string>>): void {
  messages = loaded
  page.setTexts(language, loaded)
}

/** For keys that come from the service, and may be newer than this page. */
export const { known } = page

/** A message in the language of the page. */
export const t: Translate<Key> = (key, ...[args]) => known(key, args) ?? key

/** A message with elements in it. */
export const rich: Translate<Key, ReactElement, ReactElement> = (key, ...[args]) =>
  createElement(Fragment, null, ...page.rich<ReactElement>(key, args))

/** All messages below a key, by the rest of their keys. */
export const below = (key: string): readonly (readonly [name: string, text: string])[] =>
  Object.entries(messages)
    .filter(([name]) => name.startsWith(`${key}.`))
    .map(([name, text]) => [name.slice(key.length + 1), text])
