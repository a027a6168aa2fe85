import type { EvidenceRequestList } from '@kitseal/client'
import { instantText } from '../../readable.ts'
import { texts } from '../../texts/index.ts'

type Due = Pick<EvidenceRequestList['requests'][number], 'due_at' | 'status'>

/** In the local time zone, UTC on hover. Overdue only while the supplier has something to do. */
export function DueDate({ due_at, status }: Due) {
  const t = texts.console.requests
  if (due_at === null) return <span className="quiet">{t.noDue}</span>
  const isOverdue = status === 'open' && Date.parse(due_at) < Date.now()
  return (
    <time dateTime={due_at} title={instantText(due_at)} className={isOverdue ? 'bad strong' : ''}>
      {new Date(due_at).toLocaleDateString('en-GB', { dateStyle: 'medium' })}
      {isOverdue && ` · ${t.overdue}`}
    </time>
  )
}
