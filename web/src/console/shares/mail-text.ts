import type { Share } from '@kitseal/client'
import { nameText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'

/** What became of a mail. */
export function mailText(mail: Share['recipients'][number]['mail']): string {
  const t = texts.console.shares.mails
  if (mail === null) return t.none
  return mail.reason === null ? t[mail.status] : t.because(t[mail.status], nameText(mail.reason))
}
