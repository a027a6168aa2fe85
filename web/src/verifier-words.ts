import type { EvidenceTexts } from '@kitseal/examiner/texts/evidence-texts'
import { type Words, setWords } from '@kitseal/kit/in-browser/words'
import type { Language } from '@kitseal/kit/internal'
import { language } from './language.ts'

type Loaded = Required<Omit<Words, 'language'>>

/** Each language is a script of its own, so that a page loads only one. */
const LOADERS: Readonly<Record<Language, () => Promise<readonly [Loaded, EvidenceTexts?]>>> = {
  en: async () => {
    const [{ en: kit }, { en: view, service }] = await Promise.all([
      import('@kitseal/kit/texts/en'),
      import('@kitseal/kit/in-browser/texts/en'),
    ])
    return [{ kit, view, service }]
  },
  de: async () => {
    const [{ de: kit }, { de: view, service }, { de: evidence }] = await Promise.all([
      import('@kitseal/kit/texts/de'),
      import('@kitseal/kit/in-browser/texts/de'),
      import('@kitseal/examiner/texts/de'),
    ])
    return [{ kit, view, service }, evidence]
  },
  fr: async () => {
    const [{ fr: kit }, { fr: view, service }, { fr: evidence }] = await Promise.all([
      import('@kitseal/kit/texts/fr'),
      import('@kitseal/kit/in-browser/texts/fr'),
      import('@kitseal/examiner/texts/fr'),
    ])
    return [{ kit, view, service }, evidence]
  },
  es: async () => {
    const [{ es: kit }, { es: view, service }, { es: evidence }] = await Promise.all([
      import('@kitseal/kit/texts/es'),
      import('@kitseal/kit/in-browser/texts/es'),
      import('@kitseal/examiner/texts/es'),
    ])
    return [{ kit, view, service }, evidence]
  },
  'pt-BR': async () => {
    const [{ ptBR: kit }, { ptBR: view, service }, { ptBR: evidence }] = await Promise.all([
      import('@kitseal/kit/texts/pt-BR'),
      import('@kitseal/kit/in-browser/texts/pt-BR'),
      import('@kitseal/examiner/texts/pt-BR'),
    ])
    return [{ kit, view, service }, evidence]
  },
  ja: async () => {
    const [{ ja: kit }, { ja: view, service }, { ja: evidence }] = await Promise.all([
      import('@kitseal/kit/texts/ja'),
      import('@kitseal/kit/in-browser/texts/ja'),
      import('@kitseal/examiner/texts/ja'),
    ])
    return [{ kit, view, service }, evidence]
  },
}

/** Undefined in English: findings come with it. */
export let evidenceTexts: EvidenceTexts | undefined

export async function loadVerifierWords(): Promise<void> {
  const [words, evidence] = await LOADERS[language]()
  evidenceTexts = evidence
  setWords({ language, ...words })
}
