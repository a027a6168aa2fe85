// Generated from texts/ by texts/message-arguments.ts.
import de from './de/binder.json' with { type: 'json' }
import en from './en/binder.json' with { type: 'json' }
import es from './es/binder.json' with { type: 'json' }
import fr from './fr/binder.json' with { type: 'json' }
import ja from './ja/binder.json' with { type: 'json' }
import ptBR from './pt-BR/binder.json' with { type: 'json' }

const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'de': de,
  'en': en,
  'es': es,
  'fr': fr,
  'ja': ja,
  'pt-BR': ptBR,
}

export default messages

export type BinderKey = keyof typeof en
