// Reads what scripts/test-report.mjs has written.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

interface Summary {
  readonly counts?: Readonly<Record<string, number>>
  readonly files: number
  readonly slowest: readonly (readonly [file: string, milliseconds: number])[]
}

/** Test files and tests that were started or finished, in this order. */
interface Progress {
  readonly is: 'started' | 'finished'
  readonly id: string
  readonly file: string
  readonly test?: string
}

type Line = Progress | ({ readonly is: 'summary' } & Summary)

function linesOf(folder: string, name: string): readonly Line[] {
  const file = path.join(folder, `${name}.jsonl`)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // The last line of a run that was cut may be incomplete.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Line)
}

/** Undefined if the step runs no tests, or was ended. */
const summaryOf = (folder: string, name: string): Summary | undefined =>
  linesOf(folder, name).find((line) => line.is === 'summary')

/** The test files of a step that have started and not finished, each with the test that it started last. */
export function runningTests(folder: string, name: string): readonly string[] {
  const running = new Map<string, Progress>()
  for (const line of linesOf(folder, name)) {
    if (line.is === 'started') running.set(line.id, line)
    else if (line.is === 'finished') running.delete(line.id)
  }
  const files = new Map([...running.values()].map(({ file, test }) => [file, test]))
  return [...files].map(([file, test]) => (test === undefined ? file : `${file}: ${test}`))
}

export function printSlowest(folder: string, name: string): void {
  const { files = 0, slowest = [] } = summaryOf(folder, name) ?? {}
  if (files < 2) return
  console.log(`Slowest of ${files} files:`)
  for (const [file, milliseconds] of slowest)
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${file}`)
}

/** Labels of the test runner's closing lines, and the names of its counts. */
const COUNTS = {
  tests: 'tests',
  suites: 'suites',
  pass: 'passed',
  fail: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
  todo: 'todo',
  duration_ms: 'duration_ms',
}

/** Prints the test runner's closing counts, summed over all steps. Without those of a step that was ended, they would mislead. */
export function printCounts(folder: string): void {
  const counts = globSync('*.jsonl', { cwd: folder }).map(
    (file) => summaryOf(folder, path.basename(file, '.jsonl'))?.counts,
  )
  if (counts.includes(undefined)) return console.log('There are no counts, because not all tests have run.')
  for (const [label, name] of Object.entries(COUNTS))
    console.log(`# ${label} ${Math.round(counts.reduce((sum, each) => sum + (each?.[name] ?? 0), 0))}`)
}
