import type { Language } from '../languages.ts'
import { de } from './de.ts'
import { en, type KitTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { ptBR } from './pt-BR.ts'

export type { KitTexts }

/** For programs that write in several languages. Pages load the one that they need. */
export const KIT_TEXTS: Readonly<Record<Language, KitTexts>> = { en, de, fr, es, 'pt-BR': ptBR, ja }
