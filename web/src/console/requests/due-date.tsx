import type { EvidenceRequestList } from '@kitseal/client'
import { Deadline, Time } from '../../parts/time.tsx'
import { t } from '../../core/texts.ts'

type Due = Pick<EvidenceRequestList['data'][number], 'due_at' | 'status'>

/** In the local time zone, UTC on hover. Overdue only while the supplier has something to do. */
export function DueDate({ due_at, status, isLong = false }: Due & { readonly isLong?: boolean }) {
  if (due_at === null) return <span className="quiet">{t('console.requests.noDue')}</span>
  const isOverdue = status === 'open' && Date.parse(due_at) < Date.now()
  return (
    <span className={isOverdue ? 'bad strong' : ''}>
      {isLong ? <Deadline at={due_at} /> : <Time at={due_at} as="relative" />}
      {isOverdue && ` · ${t('console.requests.overdue')}`}
    </span>
  )
}
