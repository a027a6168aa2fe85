import { Card } from '../../parts/blocks.tsx'
import { RowTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { sentence } from '../../core/readable.ts'
import { t } from '../../core/texts.ts'
import { api, QUIETLY } from '../client.ts'
import { LoadMore } from '../load-more.tsx'
import { QueryState } from '../problem.tsx'
import { usePages } from '../use-pages.ts'
import { WEBHOOKS } from './webhook-state.tsx'

/** Deliveries are not events of the workspace, so the log is asked for. */
const REFRESH_MS = 3000

/** What was sent to a webhook, and how its receiver answered. */
export function DeliveryLog({ id }: { readonly id: string }) {
  const log = usePages(
    [...WEBHOOKS, id, 'attempts'],
    (page) => api.listWebhookAttempts(id, { ...page, limit: 50 }, QUIETLY),
    REFRESH_MS,
  )
  const { rows: attempts } = log
  return (
    <Card title={t('console.webhooks.log.title')}>
      <QueryState query={log} />
      {log.isEmpty && <p className="quiet">{t('console.webhooks.log.none')}</p>}
      {attempts.length > 0 && (
        <RowTable
          rows={attempts}
          keyOf={({ number }) => number}
          dataOf={({ problem }) => ({ 'data-delivered': problem === null })}
          columns={[
            {
              name: t('console.webhooks.log.columns.at'),
              cell: ({ created_at }) => <Time at={created_at} />,
            },
            {
              name: t('console.webhooks.log.columns.event'),
              cell: ({ type }) => type,
              below: ({ seq }) =>
                seq === 0 ? t('console.webhooks.log.test') : t('console.webhooks.log.number', { seq }),
            },
            {
              name: t('console.webhooks.log.columns.result'),
              cell: ({ problem, status }) =>
                problem === null ? (
                  status === null ? (
                    t('console.webhooks.log.delivered')
                  ) : (
                    t('console.webhooks.log.deliveredWith', { status })
                  )
                ) : (
                  <span className="danger">{sentence(problem)}</span>
                ),
            },
            {
              name: t('console.webhooks.log.columns.duration'),
              of: 'numbers',
              className: 'nowrap',
              cell: ({ duration_ms }) => t('console.webhooks.log.ms', { ms: duration_ms }),
            },
          ]}
        />
      )}
      <LoadMore query={log} />
      {attempts.length > 0 && !log.hasNextPage && <p className="quiet">{t('console.webhooks.log.kept')}</p>}
    </Card>
  )
}
