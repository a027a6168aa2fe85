import type { Series } from './report.ts'

const SIZE = { width: 640, height: 360 }
const BOX = { left: 64, right: 620, top: 40, bottom: 300 }
const COLOURS = ['#0b5cad', '#b3261e', '#2e7d32', '#8e5a00', '#6a1b9a', '#00695c', '#5d4037', '#455a64']

/** An SVG line plot with logarithmic axes. The same points give the same bytes. */
export function plotOf(title: string, series: readonly Series[]): string {
  const points = series.flatMap((line) => line.points)
  const x = scale(
    points.map(([at]) => at),
    BOX.left,
    BOX.right,
  )
  const y = scale(
    points.map(([, at]) => at),
    BOX.bottom,
    BOX.top,
  )
  const lines = series.map((line, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? '#000'
    const path = line.points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${x.at(px)} ${y.at(py)}`).join('')
    const dots = line.points.map(([px, py]) => `<circle cx="${x.at(px)}" cy="${y.at(py)}" r="3"/>`).join('')
    const legend = `<text x="${BOX.left + (index % 3) * 190}" y="${328 + Math.floor(index / 3) * 14}">${escape(line.line)}</text>`
    return `<g fill="${colour}"><path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}${legend}</g>`
  })
  const axes = series[0]?.axes
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="system-ui, sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${BOX.left}" y="20" font-size="14" font-weight="600">${escape(title)}</text>
<g stroke="#ccc" fill="none">${x.ticks.map((tick) => `<path d="M${x.at(tick)} ${BOX.top}V${BOX.bottom}"/>`).join('')}${y.ticks.map((tick) => `<path d="M${BOX.left} ${y.at(tick)}H${BOX.right}"/>`).join('')}</g>
<g fill="#444">${x.ticks.map((tick) => `<text x="${x.at(tick)}" y="${BOX.bottom + 14}" text-anchor="middle">${tick}</text>`).join('')}${y.ticks.map((tick) => `<text x="${BOX.left - 6}" y="${y.at(tick) + 4}" text-anchor="end">${tick}</text>`).join('')}
<text x="${BOX.right}" y="${BOX.bottom - 6}" text-anchor="end">${escape(axes?.x ?? '')}</text><text x="${BOX.left + 6}" y="${BOX.top + 10}">${escape(axes?.y ?? '')}</text></g>
${lines.join('\n')}
</svg>
`
}

interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
}

function scale(values: readonly number[], from: number, to: number): Scale {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, step) => Number((10 ** (low + step)).toPrecision(3))),
    at: (value) => Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10,
  }
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
