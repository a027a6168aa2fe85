import type { Period } from '@kitseal/client'

export type PeriodItem = Period['items'][number]

/** Whether files and reviews can still change. */
export const isOpen = ({ status }: Pick<Period, 'status'>): boolean =>
  status === 'open' || status === 'failed'
