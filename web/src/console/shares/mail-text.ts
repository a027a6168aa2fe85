import type { Share } from '@kitseal/client'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'

/** What became of a mail. */
export function mailText(mail: Share['recipients'][number]['mail']): string {
  if (mail === null) return t('console.shares.mails.none')
  return mail.reason === null
    ? t(`console.shares.mails.${mail.status}`)
    : t('console.shares.mails.because', {
        status: t(`console.shares.mails.${mail.status}`),
        reason: nameText(mail.reason),
      })
}
