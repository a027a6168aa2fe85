import type { CreditMonthList } from '@kitseal/client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type Bar, BarChart } from '../../parts/bar-chart.tsx'
import { Card, Empty, Heading } from '../../parts/blocks.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { texts } from '../../texts/index.ts'
import { api, pageAt } from '../client.ts'
import { LoadMore } from '../load-more.tsx'
import { Loading, Problem } from '../problem.tsx'
import { SubmissionLink } from '../submission-link.tsx'
import { useMe } from '../session.tsx'

export function CreditsPage() {
  const { available, held } = useMe().workspace.credits
  const t = texts.console.credits
  return (
    <>
      <Heading title={texts.console.titles.credits} lead={t.lead} />
      <div className="figures">
        <div className="card figure">
          <span className="figure-number">{available.toLocaleString('en')}</span>
          <span className="quiet">{t.available}</span>
        </div>
        <div className="card figure">
          <span className="figure-number">{held.toLocaleString('en')}</span>
          <span className="quiet">{t.held}</span>
        </div>
      </div>
      <Months />
      <Ledger />
    </>
  )
}

function Months() {
  const { data, error } = useQuery({
    queryKey: ['credits', 'months'],
    queryFn: () => api.getCreditMonths(),
  })
  const t = texts.console.credits
  const months = data?.data ?? []
  return (
    <Card title={t.chart}>
      {error !== null && <Problem error={error} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && months.every(({ used }) => used === 0) && <p className="quiet">{t.noUse}</p>}
      {months.some(({ used }) => used > 0) && <BarChart title={t.chart} bars={months.map(barOf)} />}
    </Card>
  )
}

function barOf({ month, used }: CreditMonthList['data'][number]): Bar {
  const name = (format: 'short' | 'long'): string =>
    new Date(`${month}-01`).toLocaleString('en', { month: format, timeZone: 'UTC' })
  return { key: month, shortName: name('short'), name: `${name('long')} ${month.slice(0, 4)}`, value: used }
}

function Ledger() {
  const ledger = useInfiniteQuery({
    queryKey: ['credits', 'ledger'],
    queryFn: ({ pageParam }) => api.getCredits(pageAt(pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
  const rows = ledger.data?.pages.flatMap((page) => page.data) ?? []
  const t = texts.console.credits
  return (
    <Card title={t.ledger}>
      {ledger.error !== null && <Problem error={ledger.error} onRetry={() => void ledger.refetch()} />}
      {ledger.isPending && <Loading />}
      {ledger.data !== undefined && rows.length === 0 && <Empty icon="coins" title={t.none} />}
      {rows.length > 0 && (
        <Table
          columns={[
            t.columns.at,
            t.columns.what,
            { name: t.columns.change, of: 'numbers' },
            { name: t.columns.after, of: 'numbers' },
          ]}
        >
          <tbody>
            {rows.map((row) => (
              <tr key={row.seq}>
                <td data-name={t.columns.at} className="nowrap">
                  <Time at={row.created_at} />
                </td>
                <td data-name={t.columns.what} className="long">
                  {t.kinds[row.kind]}
                  {row.note !== null && <span className="quiet">: {row.note}</span>}
                  {row.submission_id !== null && (
                    <>
                      {' '}
                      <SubmissionLink id={row.submission_id} />
                    </>
                  )}
                </td>
                <td data-name={t.columns.change} className="number">
                  {signed(row.available_change)}
                </td>
                <td data-name={t.columns.after} className="number">
                  {row.available_after.toLocaleString('en')}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <LoadMore query={ledger} />
    </Card>
  )
}

const signed = (amount: number): string =>
  amount > 0 ? `+${amount.toLocaleString('en')}` : amount.toLocaleString('en').replace('-', '−')
