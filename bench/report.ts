/** One comparison, measured in one run. */
export interface Figure {
  readonly what: string
  readonly against: string
  readonly ours: string
  readonly theirs: string
  readonly ratio: number
  readonly goal: Goal
}

export type Goal =
  | { readonly least: number }
  | { readonly most: number }
  | { readonly below: number }
  /** Our own speed, whatever the ratio is. */
  | { readonly speed: number; readonly least: number; readonly unit: string }

export function reportFigure(figure: Figure): void {
  const held = holds(figure)
  console.log(`${held ? 'holds' : 'FAILS'}  ${figure.what}, against ${figure.against}`)
  console.log(
    `       ${figure.ours} against ${figure.theirs}: ${figure.ratio.toFixed(2)} (${goalText(figure.goal)})\n`,
  )
  if (!held) process.exitCode = 1
}

export function reportFact(what: string, value: string): void {
  console.log(`       ${what}: ${value}\n`)
}

export function reportTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = head.map((name, at) => Math.max(...[name, ...rows.map((row) => row[at] ?? '')].map(widthOf)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
  console.log([title, line(head), ...rows.map(line), ''].join('\n'))
}

const widthOf = (text: string): number => text.length

function holds({ ratio, goal }: Figure): boolean {
  if ('speed' in goal) return goal.speed >= goal.least
  if ('least' in goal) return ratio >= goal.least
  return 'most' in goal ? ratio <= goal.most : ratio < goal.below
}

function goalText(goal: Goal): string {
  if ('speed' in goal) return `${goal.least} ${goal.unit} or more`
  if ('least' in goal) return `${goal.least} or more`
  return 'most' in goal ? `${goal.most} or less` : `below ${goal.below}`
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
