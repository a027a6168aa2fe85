import { ANONYMOUS_CALLER, BOUNDARY, SUPPLIER_BY_LINK } from '@kitseal/kit'
import { de } from './de.ts'
import { type BinderTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { ptBR } from './pt-BR.ts'

/** What a binder says. */
export interface Words {
  readonly language: string
  readonly binder: BinderTexts
  readonly kit: { readonly boundary: string; readonly anonymous: string; readonly byLink: string }
}

const BINDER_TEXTS: Readonly<Record<string, BinderTexts>> = { en, de, fr, es, 'pt-BR': ptBR, ja }
const KIT = { boundary: BOUNDARY, anonymous: ANONYMOUS_CALLER, byLink: SUPPLIER_BY_LINK }

/** In English if there is no such language. */
export function wordsIn(language: string): Words {
  const found = Object.hasOwn(BINDER_TEXTS, language) ? BINDER_TEXTS[language] : undefined
  return { language: found === undefined ? 'en' : language, binder: found ?? en, kit: KIT }
}

/** Every text, for the fonts. */
export function* textsIn(table: object): Generator<string> {
  for (const value of Object.values(table))
    if (typeof value === 'string') yield value
    else if (typeof value === 'object' && value !== null) yield* textsIn(value)
}
