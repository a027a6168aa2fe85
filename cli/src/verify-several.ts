import { type Claims, type VerificationReport, verdictHeading, VERDICTS } from '@kitseal/kit/internal'
import { InputError } from './input-error.ts'
import { colors, EXIT, pluralize, printable, type Terminal, writeLines } from './terminal.ts'

export interface Checked {
  readonly report: VerificationReport
  readonly claims: Claims | undefined
}

type Result = { readonly path: string } & ({ readonly checked: Checked } | { readonly problem: string })

/** Verifies kits one after the other: one line for each, and a summary. Returns the worst exit code. */
export async function verifySeveral(
  paths: readonly string[],
  verify: (path: string) => Promise<Checked>,
  json: boolean,
  terminal: Terminal,
): Promise<number> {
  const results: Result[] = []
  for (const path of paths) {
    const result = await resultOf(path, verify)
    results.push(result)
    writeLines(terminal.stdout, [json ? printable(JSON.stringify(asJson(result))) : lineOf(result, terminal)])
  }
  const codes = results.map(exitCodeOf)
  if (!json) writeLines(terminal.stdout, summaryOf(results, codes))
  return WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.ok
}

/** A FAIL is a finding about evidence, so it counts more than a file that cannot be read. */
const WORST_FIRST: readonly number[] = [EXIT.fail, EXIT.usage, VERDICTS.sender_unconfirmed.exitCode]

async function resultOf(path: string, verify: (path: string) => Promise<Checked>): Promise<Result> {
  try {
    return { path, checked: await verify(path) }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { path, problem: error.message }
  }
}

function exitCodeOf(result: Result): number {
  return 'problem' in result ? EXIT.usage : VERDICTS[result.checked.report.verdict].exitCode
}

function asJson(result: Result): object {
  const { path } = result
  if ('problem' in result)
    return { path, status: 'ERROR', error: { code: 'input_unreadable', message: result.problem } }
  const { report, claims } = result.checked
  return { path, ...report, kit: claims ?? null }
}

const STYLES = { green: 'good', amber: 'warn', red: 'bad' } as const

function lineOf(result: Result, terminal: Terminal): string {
  const style = colors(terminal)
  const path = printable(result.path)
  if ('problem' in result) return `${style.bad('ERROR')}  ${path}: ${printable(result.problem)}`
  const { report } = result.checked
  const word = style[STYLES[VERDICTS[report.verdict].colour]](report.status)
  const [error] = report.errors
  const why = error === undefined || report.verdict === 'sender_unconfirmed' ? '' : ` (${printable(error)})`
  return `${word}   ${path}: ${verdictHeading(report)}${why}`
}

function summaryOf(results: readonly Result[], codes: readonly number[]): readonly string[] {
  const count = (code: number): number => codes.filter((each) => each === code).length
  const parts = [
    [count(EXIT.ok), 'verified'],
    [count(EXIT.fail), 'failed'],
    [count(VERDICTS.sender_unconfirmed.exitCode), 'intact, but the sender is not confirmed'],
    [count(EXIT.usage), 'not readable'],
  ] as const
  const text = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`)
  const boundary = results.flatMap((each) => ('checked' in each ? [each.checked.report.boundary] : []))
  return ['', `${pluralize(results.length, 'kit')}: ${text.join(', ')}.`, ...boundary.slice(0, 1)]
}
