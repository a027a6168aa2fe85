import type { Language } from '../../src/languages.ts'
import { de as kitDe } from '../../src/texts/de.ts'
import type { KitTexts } from '../../src/texts/en.ts'
import { es as kitEs } from '../../src/texts/es.ts'
import { fr as kitFr } from '../../src/texts/fr.ts'
import { ja as kitJa } from '../../src/texts/ja.ts'
import { ptBR as kitPtBR } from '../../src/texts/pt-BR.ts'
import { de as viewDe } from '../texts/de.ts'
import type { ViewTexts } from '../texts/en.ts'
import { es as viewEs } from '../texts/es.ts'
import { fr as viewFr } from '../texts/fr.ts'
import { ja as viewJa } from '../texts/ja.ts'
import { ptBR as viewPtBR } from '../texts/pt-BR.ts'
import { de } from './de.ts'
import type { PageTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { ptBR } from './pt-BR.ts'

export interface Translation {
  readonly kit: KitTexts
  readonly view: ViewTexts
  readonly page: PageTexts
}

export type Translations = Readonly<Record<Exclude<Language, 'en'>, Translation>>

/** What the build packs into START-HERE.html. The English texts are in its script and in its markup. */
export const TRANSLATIONS: Translations = {
  de: { kit: kitDe, view: viewDe, page: de },
  fr: { kit: kitFr, view: viewFr, page: fr },
  es: { kit: kitEs, view: viewEs, page: es },
  'pt-BR': { kit: kitPtBR, view: viewPtBR, page: ptBR },
  ja: { kit: kitJa, view: viewJa, page: ja },
}
