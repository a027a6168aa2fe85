import { numberText } from '../readable.ts'
export interface Bar {
  readonly key: string
  /** Under the bar, where there is room for about three letters. */
  readonly shortName: string
  readonly name: string
  readonly value: number
}

const HEIGHT = 200
const LABEL_HEIGHT = 22
const LONGEST_BAR = HEIGHT - 2 * LABEL_HEIGHT

export interface BarChartProps {
  readonly title: string
  readonly bars: readonly Bar[]
}

/** Bars with their values above and names below. Screen readers get the same numbers as a table. */
export function BarChart({ title, bars }: BarChartProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const step = 100 / bars.length
  return (
    <>
      <svg className="bar-chart" width="100%" height={HEIGHT} aria-hidden="true" focusable="false">
        {bars.map(({ key, shortName, value }, index) => {
          const barHeight = (value / most) * LONGEST_BAR
          const top = HEIGHT - LABEL_HEIGHT - barHeight
          const middle = `${(index + 0.5) * step}%`
          return (
            <g key={key}>
              <rect
                x={`${(index + 0.2) * step}%`}
                y={top}
                width={`${0.6 * step}%`}
                height={barHeight}
                rx={3}
              />
              <text x={middle} y={top - 6}>
                {value > 0 && numberText(value)}
              </text>
              <text x={middle} y={HEIGHT - 5} className="name">
                {shortName}
              </text>
            </g>
          )
        })}
        <line x1="0" x2="100%" y1={HEIGHT - LABEL_HEIGHT} y2={HEIGHT - LABEL_HEIGHT} />
      </svg>
      <table className="visually-hidden">
        <caption>{title}</caption>
        <tbody>
          {bars.map(({ key, name, value }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{numberText(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
