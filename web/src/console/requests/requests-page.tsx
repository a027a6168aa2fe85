import type { EvidenceRequestList } from '@kitseal/client'
import { nameText } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { Card, Empty, Heading, QueryState } from '../../parts/blocks.tsx'
import { List, LoadMore } from '../../parts/list.tsx'
import { Status } from '../../parts/status.tsx'
import { Deadline, Time } from '../../parts/time.tsx'
import { api } from '../client.ts'
import { ProgressOf } from '../items/item-card.tsx'
import { usePages } from '../queries.tsx'
import { NewButton } from '../blocks.tsx'
import { showOnce } from '../one-time.tsx'

type Listed = EvidenceRequestList['data'][number]

const GROUPS = [
  { name: 'submitted', of: ['submitted'] },
  { name: 'open', of: ['open'] },
  { name: 'done', of: ['accepted', 'closed'] },
] as const satisfies readonly { name: string; of: readonly Listed['status'][] }[]

/** What to review, what to wait for, what is done. */
export default function RequestsPage() {
  const list = usePages(REQUESTS, (page, options) => api.listRequests({ ...page, limit: 100 }, options))
  return (
    <>
      <Heading
        title={t('console.titles.requests')}
        lead={t('console.requests.lead')}
        actions={
          <NewButton to="requests" href="/console/requests/new" text={t('console.titles.newRequest')} />
        }
      />
      <QueryState query={list} />
      {list.data !== undefined && list.rows.length === 0 && (
        <Card>
          <Empty icon="list" texts="console.requests.none" />
        </Card>
      )}
      {GROUPS.map(({ name, of }) => {
        const rows = list.rows.filter(({ status }) => (of as readonly string[]).includes(status))
        return rows.length === 0 ? null : (
          <Group key={name} title={t(`console.requests.groups.${name}`)} query={list} rows={byDue(rows)} />
        )
      })}
      <LoadMore query={list} />
    </>
  )
}

/** What is due first comes first. */
const byDue = (rows: readonly Listed[]): readonly Listed[] =>
  rows.toSorted((a, b) => ((a.due_at ?? '9') < (b.due_at ?? '9') ? -1 : 1))

interface GroupProps {
  readonly title: string
  readonly query: ReturnType<typeof usePages<Listed>>
  readonly rows: readonly Listed[]
}

function Group({ title, query, rows }: GroupProps) {
  return (
    <Card title={title}>
      <List
        query={{ ...query, hasNextPage: false }}
        rows={rows}
        empty={null}
        texts="console.requests.columns"
        columns={[
          {
            name: 'title',
            of: 'titles',
            cell: ({ title: name }) => nameText(name),
            href: ({ evidence_request_id: id }) => `/console/requests/${id}`,
            // Requests of one name differ by their supplier.
            below: ({ recipients, created_at }) =>
              recipients.length > 0 ? nameText(recipients.join(', ')) : <Time at={created_at} as="day" />,
          },
          {
            name: 'status',
            cell: ({ status }) => <Status of="request" is={status} texts="console.requests.statuses" />,
          },
          {
            name: 'progress',
            cell: (request) => <RequestProgress {...request} />,
          },
          { name: 'due', cell: (request) => <DueDate {...request} /> },
          { name: 'updated', cell: ({ updated_at }) => <Time at={updated_at} as="ago" /> },
        ]}
      />
    </Card>
  )
}

export function RequestProgress({ progress, title }: Pick<Listed, 'progress' | 'title'>) {
  const { items, missing, collected, accepted, not_applicable } = progress
  const answered = items - missing - collected
  return (
    <ProgressOf
      label={t('console.requests.progressLabel', { title })}
      done={answered}
      of={items}
      text={t('console.requests.progress', { answered, items })}
      more={[
        accepted > 0 && t('console.requests.accepted', { count: accepted }),
        not_applicable > 0 && t('console.requests.notApplicableCount', { count: not_applicable }),
        collected > 0 && t('console.requests.collected', { count: collected }),
      ]}
    />
  )
}

export interface DueDateProps extends Pick<Listed, 'due_at' | 'status'> {
  readonly isLong?: boolean
}

/** In the local time zone, UTC on hover. Overdue only while the supplier has something to do. */
export function DueDate({ due_at, status, isLong = false }: DueDateProps) {
  if (due_at === null) return <span className="quiet">{t('console.requests.noDue')}</span>
  const isOverdue = status === 'open' && Date.parse(due_at) < Date.now()
  return (
    <span className={isOverdue ? 'bad strong' : ''}>
      {isLong ? <Deadline at={due_at} /> : <Time at={due_at} as="relative" />}
      {isOverdue && ` · ${t('console.requests.overdue')}`}
    </span>
  )
}

/** The queries of requests. */
export const REQUESTS = ['requests'] as const

/** A link for the supplier, to send by hand. */
export const showRequestLink = (url: string): void =>
  showOnce({
    title: t('console.requests.link.title'),
    text: t('console.requests.link.text'),
    values: [{ label: t('console.requests.link.what'), value: url }],
  })
