// Generated from texts/ by texts/message-arguments.ts.
import de from './de/verifier.json' with { type: 'json' }
import en from './en/verifier.json' with { type: 'json' }
import es from './es/verifier.json' with { type: 'json' }
import fr from './fr/verifier.json' with { type: 'json' }
import ja from './ja/verifier.json' with { type: 'json' }
import ptBR from './pt-BR/verifier.json' with { type: 'json' }

const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'de': de,
  'en': en,
  'es': es,
  'fr': fr,
  'ja': ja,
  'pt-BR': ptBR,
}

export default messages

export type VerifierKey = keyof typeof en
