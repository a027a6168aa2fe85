import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'
import { texts } from '../../texts/index.ts'
import type { Month } from '../types.ts'

/** Credits used, month by month; the same numbers stand in a table for whoever cannot see the drawing. */
export function MonthsChart({ months }: { readonly months: readonly Month[] }) {
  const t = texts.console.credits
  return (
    <>
      <div aria-hidden="true" className="chart">
        <BarChart
          h={220}
          data={months.map(({ month, used }) => ({ month, used }))}
          dataKey="month"
          series={[{ name: 'used', label: t.used, color: 'var(--accent)' }]}
          barChartProps={{ accessibilityLayer: false }}
          tickLine="none"
          gridAxis="x"
          barProps={{ isAnimationActive: false, maxBarSize: 48, radius: 4 }}
          yAxisProps={{ allowDecimals: false, width: 40 }}
          xAxisProps={{ tickFormatter: shortMonth }}
        />
      </div>
      <table className="visually-hidden">
        <caption>{t.chart}</caption>
        <tbody>
          {months.map(({ month, used }) => (
            <tr key={month}>
              <th scope="row">{month}</th>
              <td>{used}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const shortMonth = (month: string): string => `${month.slice(5)}/${month.slice(2, 4)}`
