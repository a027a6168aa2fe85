import verifier from '../../../texts/verifier.generated.ts'
import { english, type Language, type Say, Texts } from '@kitseal/kit/internal'
import { de } from './de.ts'
import { type BinderTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { ptBR } from './pt-BR.ts'

/** What a binder says. */
export interface Words {
  readonly language: Language
  readonly binder: BinderTexts
  /** What verifiers say. */
  readonly say: Say
}

const BINDER_TEXTS: Readonly<Record<Language, BinderTexts>> = { en, de, fr, es, 'pt-BR': ptBR, ja }

export const wordsIn = (language: Language): Words => ({
  language,
  binder: BINDER_TEXTS[language],
  say: saying(language),
})

function saying(language: Language): Say {
  const texts = new Texts(JSON.parse(plainSpaces(JSON.stringify(verifier[language] ?? {}))), {
    number: String,
    date: (value) => value.toISOString(),
    plural: (value) => (value === 1 ? 'one' : 'other'),
    list: (parts) => parts.join(', '),
  })
  return (key, ...args) => texts.find(key, args[0]) ?? english(key, ...args)
}

/** Spaces that do not break would be shown as hidden characters. */
const plainSpaces = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

/** Every text, for the fonts. */
export function* textsIn(table: object): Generator<string> {
  for (const value of Object.values(table))
    if (typeof value === 'string') yield value
    else if (typeof value === 'object' && value !== null) yield* textsIn(value)
}
