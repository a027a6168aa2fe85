import type { EvidenceRequestList } from '@kitseal/client'
import { Button, Progress } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { nameText } from '../../readable.ts'
import { Link, navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api, pageAt } from '../client.ts'
import { usePoll } from '../live-query.tsx'
import { LoadMore } from '../load-more.tsx'
import { Loading, Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import '../../styles/requests.css'
import { DueDate } from './due-date.tsx'
import { RequestStatus } from './request-status.tsx'

type Listed = EvidenceRequestList['data'][number]

const GROUPS = [
  { name: 'submitted', of: ['submitted'] },
  { name: 'open', of: ['open'] },
  { name: 'done', of: ['accepted', 'closed'] },
] as const satisfies readonly { name: string; of: readonly Listed['status'][] }[]

/** The board of requests: what to review, what to wait for, what is done. */
export function RequestsPage() {
  const poll = usePoll()
  const { is: mayAsk } = useAllowed('requests')
  const list = useInfiniteQuery({
    queryKey: ['requests'],
    queryFn: ({ pageParam }) => api.listRequests({ ...pageAt(pageParam), limit: 100 }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: poll,
  })
  const requests = list.data?.pages.flatMap((page) => page.data) ?? []
  const t = texts.console.requests
  const create = mayAsk ? (
    <Button leftSection={<Icon name="plus" />} onClick={() => navigate('/console/requests/new')}>
      {t.new}
    </Button>
  ) : undefined
  return (
    <>
      <Heading
        title={texts.console.titles.requests}
        lead={t.lead}
        actions={requests.length > 0 ? create : undefined}
      />
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data !== undefined && requests.length === 0 && (
        <section className="card">
          <Empty icon="list" title={t.none.title} action={create}>
            {t.none.text}
          </Empty>
        </section>
      )}
      {GROUPS.map(({ name, of }) => {
        const rows = requests.filter(({ status }) => (of as readonly string[]).includes(status))
        return rows.length === 0 ? null : <Group key={name} title={t.groups[name]} rows={byDue(rows)} />
      })}
      <LoadMore query={list} />
    </>
  )
}

/** What is due first comes first. */
const byDue = (rows: readonly Listed[]): readonly Listed[] =>
  rows.toSorted((a, b) => ((a.due_at ?? '9') < (b.due_at ?? '9') ? -1 : 1))

function Group({ title, rows }: { readonly title: string; readonly rows: readonly Listed[] }) {
  const t = texts.console.requests
  return (
    <Card title={title}>
      <Table
        columns={[t.columns.title, t.columns.status, t.columns.progress, t.columns.due, t.columns.updated]}
      >
        <tbody>
          {rows.map((request) => (
            <tr key={request.evidence_request_id}>
              <td className="long">
                <Link href={`/console/requests/${request.evidence_request_id}`} className="row-link">
                  {nameText(request.title)}
                </Link>
                {request.repeat !== null && <span className="quiet below">{t.repeats[request.repeat]}</span>}
              </td>
              <td data-name={t.columns.status}>
                <RequestStatus status={request.status} />
              </td>
              <td data-name={t.columns.progress}>
                <ProgressOf request={request} />
              </td>
              <td data-name={t.columns.due} className="nowrap">
                <DueDate {...request} />
              </td>
              <td data-name={t.columns.updated} className="nowrap">
                <Time at={request.updated_at} as="ago" />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

export function ProgressOf({ request }: { readonly request: Pick<Listed, 'progress' | 'title'> }) {
  const { items, received, accepted } = request.progress
  const t = texts.console.requests
  return (
    <div className="request-progress">
      <span className="nowrap">
        {t.progress(received, items)}
        {accepted > 0 && <span className="quiet"> · {t.accepted(accepted)}</span>}
      </span>
      <Progress value={(received / Math.max(1, items)) * 100} aria-label={t.progressLabel(request.title)} />
    </div>
  )
}
