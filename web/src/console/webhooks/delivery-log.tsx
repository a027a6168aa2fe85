import { useInfiniteQuery } from '@tanstack/react-query'
import { Card } from '../../parts/blocks.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { sentence } from '../../readable.ts'
import { texts } from '../../texts/index.ts'
import { api, pageAt, QUIETLY } from '../client.ts'
import { LoadMore } from '../load-more.tsx'
import { Loading, Problem } from '../problem.tsx'
import { WEBHOOKS } from './use-webhook.ts'

/** Deliveries are not events of the workspace, so the log is asked for. */
const REFRESH_MS = 3000

/** What was sent to a webhook, and how its receiver answered. */
export function DeliveryLog({ id }: { readonly id: string }) {
  const log = useInfiniteQuery({
    queryKey: [...WEBHOOKS, id, 'attempts'],
    queryFn: ({ pageParam }) => api.listWebhookAttempts(id, { ...pageAt(pageParam), limit: 50 }, QUIETLY),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: REFRESH_MS,
  })
  const attempts = log.data?.pages.flatMap((page) => page.data) ?? []
  const t = texts.console.webhooks.log
  return (
    <Card title={t.title}>
      {log.error !== null && <Problem error={log.error} onRetry={() => void log.refetch()} />}
      {log.isPending && <Loading />}
      {log.data !== undefined && attempts.length === 0 && <p className="quiet">{t.none}</p>}
      {attempts.length > 0 && (
        <Table
          columns={[
            t.columns.at,
            t.columns.event,
            t.columns.result,
            { name: t.columns.duration, of: 'numbers' },
          ]}
        >
          <tbody>
            {attempts.map(({ number, created_at, seq, type, status, problem, duration_ms }) => (
              <tr key={number} data-delivered={problem === null}>
                <td data-name={t.columns.at}>
                  <Time at={created_at} />
                </td>
                <td data-name={t.columns.event}>
                  {type}
                  <span className="quiet below">{seq === 0 ? t.test : t.number(seq)}</span>
                </td>
                <td data-name={t.columns.result} className={problem === null ? '' : 'danger'}>
                  {problem === null ? t.delivered(status) : sentence(problem)}
                </td>
                <td data-name={t.columns.duration} className="number nowrap">
                  {t.ms(duration_ms)}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <LoadMore query={log} />
      {attempts.length > 0 && !log.hasNextPage && <p className="quiet">{t.kept}</p>}
    </Card>
  )
}
