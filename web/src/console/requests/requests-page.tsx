import type { EvidenceRequestList } from '@kitseal/client'
import { Button, Progress } from '@mantine/core'
import { Card, EmptyCard, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../core/readable.ts'
import { Link, navigate } from '../../core/router.tsx'
import { t } from '../../core/texts.ts'
import { api } from '../client.ts'
import { usePoll } from '../live-query.tsx'
import { LoadMore } from '../load-more.tsx'
import { QueryState } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { usePages } from '../use-pages.ts'
import '../../styles/requests.css'
import { DueDate } from './due-date.tsx'
import { REQUESTS } from './new-link.ts'
import { RequestStatus } from './request-status.tsx'

type Listed = EvidenceRequestList['data'][number]

const GROUPS = [
  { name: 'submitted', of: ['submitted'] },
  { name: 'open', of: ['open'] },
  { name: 'done', of: ['accepted', 'closed'] },
] as const satisfies readonly { name: string; of: readonly Listed['status'][] }[]

/** The board of requests: what to review, what to wait for, what is done. */
export function RequestsPage() {
  const { is: mayAsk } = useAllowed('requests')
  const list = usePages(
    REQUESTS,
    (page, options) => api.listRequests({ ...page, limit: 100 }, options),
    usePoll(),
  )
  const { rows: requests } = list
  const create = mayAsk ? (
    <Button leftSection={<Icon name="plus" />} onClick={() => navigate('/console/requests/new')}>
      {t('console.titles.newRequest')}
    </Button>
  ) : undefined
  return (
    <>
      <Heading
        title={t('console.titles.requests')}
        lead={t('console.requests.lead')}
        actions={requests.length > 0 ? create : undefined}
      />
      <QueryState query={list} />
      {list.isEmpty && (
        <EmptyCard
          icon="list"
          title={t('console.requests.none.title')}
          text={t('console.requests.none.text')}
          action={create}
        />
      )}
      {GROUPS.map(({ name, of }) => {
        const rows = requests.filter(({ status }) => (of as readonly string[]).includes(status))
        return rows.length === 0 ? null : (
          <Group key={name} title={t(`console.requests.groups.${name}`)} rows={byDue(rows)} />
        )
      })}
      <LoadMore query={list} />
    </>
  )
}

/** What is due first comes first. */
const byDue = (rows: readonly Listed[]): readonly Listed[] =>
  rows.toSorted((a, b) => ((a.due_at ?? '9') < (b.due_at ?? '9') ? -1 : 1))

function Group({ title, rows }: { readonly title: string; readonly rows: readonly Listed[] }) {
  return (
    <Card title={title}>
      <RowTable
        rows={rows}
        keyOf={({ evidence_request_id }) => evidence_request_id}
        columns={[
          {
            name: t('console.requests.columns.title'),
            of: 'titles',
            cell: ({ evidence_request_id: id, title: name }) => (
              <Link href={`/console/requests/${id}`} className="row-link">
                {nameText(name)}
              </Link>
            ),
          },
          {
            name: t('console.requests.columns.status'),
            cell: ({ status }) => <RequestStatus status={status} />,
          },
          {
            name: t('console.requests.columns.progress'),
            cell: (request) => <ProgressOf request={request} />,
          },
          {
            name: t('console.requests.columns.due'),
            className: 'nowrap',
            cell: (request) => <DueDate {...request} />,
          },
          {
            name: t('console.requests.columns.updated'),
            className: 'nowrap',
            cell: ({ updated_at }) => <Time at={updated_at} as="ago" />,
          },
        ]}
      />
    </Card>
  )
}

export function ProgressOf({ request }: { readonly request: Pick<Listed, 'progress' | 'title'> }) {
  const { items, missing, collected, accepted, not_applicable } = request.progress
  const answered = items - missing - collected
  const more = [
    accepted > 0 && t('console.requests.accepted', { count: accepted }),
    not_applicable > 0 && t('console.requests.notApplicableCount', { count: not_applicable }),
    collected > 0 && t('console.requests.collected', { count: collected }),
  ].filter((text) => text !== false)
  return (
    <div className="request-progress">
      <span className="nowrap">
        {t('console.requests.progress', { answered, items })}
        {more.length > 0 && <span className="quiet"> · {more.join(' · ')}</span>}
      </span>
      <Progress
        value={(answered / Math.max(1, items)) * 100}
        aria-label={t('console.requests.progressLabel', { title: request.title })}
      />
    </div>
  )
}
