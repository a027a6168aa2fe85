import verifier from '../../../texts/en/verifier.json' with { type: 'json' }
import type { MessageArguments, VerifierKey } from './arguments.generated.ts'
import { type Message, Texts } from './message.ts'

export type { VerifierKey }

/** Writes a message. `Element` may stand in for an argument, `Written` is what comes out. */
export type Translate<Keys extends string, Element = never, Written = string> = <K extends Keys>(
  key: K,
  ...args: Arguments<K, Element>
) => Written

export type Arguments<K, Element = never> = K extends keyof MessageArguments
  ? [args: { readonly [Name in keyof MessageArguments[K]]: MessageArguments[K][Name] | Element }]
  : []

export type Say = Translate<VerifierKey>

export const englishTexts = (messages: Readonly<Record<string, string>>): Texts =>
  new Texts(messages, {
    number: (value) => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ','),
    date: (value) => value.toISOString().slice(0, 10),
    plural: (value) => (value === 1 ? 'one' : 'other'),
    list: (parts) => parts.join(', '),
  })

const texts = englishTexts(verifier)

/** What verifiers say in English, as reports and kits have it. */
export const english: Say = (key, ...[args]) => texts.find(key, args) ?? key

/** Why something is as it is: in English, and as a message for other languages. */
export interface Reason extends Required<Message> {
  readonly text: string
}

/** A reason; one that is only a string is not translated. */
export type Why = string | Reason

export type ReasonKey = Extract<VerifierKey, `reason.${string}`>

/** A reason of `verifier.json`. */
export const reason: Translate<ReasonKey, never, Reason> = (key, ...rest) => {
  const [args = {}] = rest
  return { key, args, text: english(key, ...rest) }
}

export const textOf = (why: Why): string => (typeof why === 'string' ? why : why.text)
