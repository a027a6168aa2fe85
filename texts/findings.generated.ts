// Generated from texts/ by texts/message-arguments.ts.
import de from './de/findings.json' with { type: 'json' }
import en from './en/findings.json' with { type: 'json' }
import es from './es/findings.json' with { type: 'json' }
import fr from './fr/findings.json' with { type: 'json' }
import ja from './ja/findings.json' with { type: 'json' }
import ptBR from './pt-BR/findings.json' with { type: 'json' }

const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'de': de,
  'en': en,
  'es': es,
  'fr': fr,
  'ja': ja,
  'pt-BR': ptBR,
}

export default messages

export type FindingsKey = keyof typeof en
