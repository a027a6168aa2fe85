import type { Language } from '@kitseal/kit/internal'
import { TEMPLATES } from '../mail-templates.ts'
import { de, words as deWords } from './de.ts'
import { type MailWords, words as enWords } from './en.ts'
import { es, words as esWords } from './es.ts'
import { fr, words as frWords } from './fr.ts'
import { ja, words as jaWords } from './ja.ts'
import { ptBR, words as ptBRWords } from './pt-BR.ts'
import type { MailTexts } from './mail-texts.ts'

/** What mails say, in every language. */
export const MAIL_TEXTS: Readonly<
  Record<Language, { readonly templates: MailTexts; readonly words: MailWords }>
> = {
  en: { templates: TEMPLATES, words: enWords },
  de: { templates: de, words: deWords },
  fr: { templates: fr, words: frWords },
  es: { templates: es, words: esWords },
  'pt-BR': { templates: ptBR, words: ptBRWords },
  ja: { templates: ja, words: jaWords },
}
