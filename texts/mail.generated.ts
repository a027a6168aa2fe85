// Generated from texts/ by texts/message-arguments.ts.
import de from './de/mail.json' with { type: 'json' }
import en from './en/mail.json' with { type: 'json' }
import es from './es/mail.json' with { type: 'json' }
import fr from './fr/mail.json' with { type: 'json' }
import ja from './ja/mail.json' with { type: 'json' }
import ptBR from './pt-BR/mail.json' with { type: 'json' }

const messages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'de': de,
  'en': en,
  'es': es,
  'fr': fr,
  'ja': ja,
  'pt-BR': ptBR,
}

export default messages

export type MailKey = keyof typeof en
