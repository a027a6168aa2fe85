import { t } from '../../core/texts.ts'
import { showOnce } from '../one-time.tsx'

/** The queries of requests. */
export const REQUESTS = ['requests'] as const

/** A link for the supplier, to send by hand. */
export const showRequestLink = (url: string): void =>
  showOnce({
    title: t('console.requests.link.title'),
    text: t('console.requests.link.text'),
    values: [{ label: t('console.requests.link.what'), value: url }],
  })
