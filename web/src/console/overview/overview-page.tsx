import type { Overview } from '@kitseal/client'
import { Button } from '@mantine/core'
import { type Bar, BarChart } from '../../parts/bar-chart.tsx'
import { Card, Heading } from '../../parts/blocks.tsx'
import { Icon } from '../../parts/icons.tsx'
import { navigate } from '../../router.tsx'
import { texts } from '../../texts/index.ts'
import { api } from '../client.ts'
import { useLiveQuery } from '../live-query.tsx'
import { NoPasskey } from '../no-passkey.tsx'
import { Loading, Problem } from '../problem.tsx'
import { useAllowed } from '../session.tsx'
import { Attention } from './attention.tsx'
import { FirstRun } from './first-run.tsx'
import { Recent } from './recent.tsx'

/** The start page: what needs attention, what happened last, and how much is issued. */
export function OverviewPage() {
  const { data, error, refetch } = useLiveQuery(['overview'], api.getOverview)
  const allowed = useAllowed('submit')
  const t = texts.console.overview
  return (
    <>
      <Heading
        title={texts.console.titles.overview}
        actions={
          allowed.is &&
          data?.is_empty === false && (
            <Button leftSection={<Icon name="plus" />} onClick={() => navigate('/console/new')}>
              {texts.console.titles.new}
            </Button>
          )
        }
      />
      <NoPasskey />
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data?.is_empty === true && <FirstRun canSubmit={allowed.is} />}
      {data !== undefined && (
        <div className="overview">
          <Attention overview={data} />
          {!data.is_empty && <Recent />}
        </div>
      )}
      {data?.is_empty === false && (
        <div className="overview">
          <Chart title={t.kits} months={data.months} valueOf={({ kits }) => kits} />
          <BytesChart months={data.months} />
        </div>
      )}
    </>
  )
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** One unit for all bars, because there is no room for it at each. */
function BytesChart({ months }: Pick<ChartProps, 'months'>) {
  const most = Math.max(1, ...months.map(({ bytes }) => bytes))
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(most) / 3))
  const rounded = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
  return (
    <Chart
      title={texts.console.overview.evidence(UNITS[power] ?? '')}
      months={months}
      valueOf={({ bytes }) => bytes}
      format={(value) => rounded.format(value / 1000 ** power)}
    />
  )
}

type OverviewMonth = Overview['months'][number]

interface ChartProps {
  readonly title: string
  readonly months: readonly OverviewMonth[]
  valueOf(month: OverviewMonth): number
  readonly format?: (value: number) => string
}

function Chart({ title, months, valueOf, format }: ChartProps) {
  const bars = months.map((month): Bar => {
    const name = (length: 'short' | 'long'): string =>
      new Date(`${month.month}-01`).toLocaleString('en', { month: length, timeZone: 'UTC' })
    return {
      key: month.month,
      shortName: name('short').slice(0, 3),
      name: `${name('long')} ${month.month.slice(0, 4)}`,
      value: valueOf(month),
    }
  })
  return (
    <Card title={title}>
      <BarChart title={title} bars={bars} {...(format === undefined ? {} : { format })} />
    </Card>
  )
}
