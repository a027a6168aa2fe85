import { type OptionKind, parseArguments, suggestion } from './arguments.ts'
import { reportInputError } from './input-error.ts'
import { formatBytes } from '@kitseal/kit/internal'
import { EXIT, jsonText, printable, showHelp, type Terminal, usageError, writeLines } from './terminal.ts'

/** Runs a command and returns its exit code. */
export type Run = (args: readonly string[], terminal: Terminal) => Promise<number>

/** Commands by name. Each is loaded only when it runs, because start-up time counts. */
export type CommandTable = Readonly<
  Record<string, readonly [summary: string, load: () => Promise<{ readonly run: Run }>]>
>

/** What a command prints: JSON, or lines to stdout and stderr. */
export interface Shown {
  readonly json: unknown
  readonly out?: readonly string[]
  readonly err?: readonly string[]
  /** Default: 0. */
  readonly exitCode?: number
}

/** A list without further pages, in the form of the API. */
export const wholeList = <Row>(data: readonly Row[]) => ({ data, next_cursor: null })

/** The arguments that were given. */
export interface Given<Name extends string> {
  readonly positionals: readonly string[]
  readonly json: boolean
  value(option: Name): string | undefined
  /** The values of an option that can be repeated. */
  values(option: Name): readonly string[]
  has(option: Name): boolean
  /** Reports usage errors, so that the command does not run. */
  reject(...problems: readonly (string | false | undefined)[]): void
}

/** A command, or one of its subcommands. */
export interface CommandLine<Name extends string, Operation> {
  /** Every command also has --json. */
  readonly options?: Options<Name>
  /** For each argument, the problem if it is missing, or undefined if it is optional. Without this, `read` checks them. */
  readonly arguments?: readonly (string | undefined)[]
  /** Validates the arguments, before anything is opened, and returns the operation. */
  readonly read: (given: Given<Name>) => Operation
}

/** A command that needs no service. */
export function command<Name extends string>(
  name: string,
  help: string,
  line: CommandLine<Name, (terminal: Terminal) => Promise<Shown | number>>,
): Run {
  return (args, terminal) =>
    runLine({ name, help, ...line }, args, terminal, (operation) => operation(terminal))
}

/** Runs a command that consists of subcommands. `otherwise` runs if none of them is named. */
export function subcommands(
  name: string,
  help: string,
  table: Readonly<Record<string, Run>>,
  otherwise?: Run,
): Run {
  return async (args, terminal) => {
    const [first = '--help', ...rest] = args
    if (first === '--help' || first === '-h') return showHelp(terminal, help)
    const run = Object.hasOwn(table, first) ? table[first] : undefined
    if (run !== undefined) return run(rest, terminal)
    if (otherwise !== undefined) return otherwise(args, terminal)
    const problem = `unknown command ${JSON.stringify(first)}${suggestion(first, Object.keys(table))}`
    return usageError(terminal, name, [problem])
  }
}

export const JSON_OPTION = 'print the result as JSON'

/** Parses and validates the arguments, performs the operation and prints the result. Returns the exit code. */
export async function runLine<Name extends string, Operation>(
  {
    name,
    help,
    options,
    arguments: expected,
    read,
  }: CommandLine<Name, Operation> & { readonly name: string; readonly help: string },
  args: readonly string[],
  terminal: Terminal,
  perform: (operation: Operation, given: Given<Name>) => Promise<Shown | number>,
): Promise<number> {
  const table: Options<string> = { ...options, json: (options as Options<string>)?.['json'] ?? JSON_OPTION }
  const kinds = Object.fromEntries(Object.entries(table).map(([option, about]) => [option, kindOf(about)]))
  const parsed = parseArguments<string>(args, kinds)
  const { positionals, flags, values, wantsHelp } = parsed
  if (wantsHelp) return showHelp(terminal, helpText(help, table))
  const problems = [...parsed.problems, ...argumentProblems(positionals, expected)]
  const given: Given<Name> = {
    positionals,
    json: flags.has('json'),
    value: (option) => values.get(option)?.[0],
    values: (option) => values.get(option) ?? [],
    has: (option) => flags.has(option) || values.has(option),
    reject: (...found) => void problems.push(...found.filter((text) => typeof text === 'string')),
  }
  const operation = read(given)
  if (problems.length > 0) return usageError(terminal, name, problems)
  try {
    const result = await perform(operation, given)
    return typeof result === 'number' ? result : show(result, given.json, terminal)
  } catch (error) {
    return reportInputError(error, name, terminal, given.json)
  }
}

function argumentProblems(
  positionals: readonly string[],
  expected: readonly (string | undefined)[] | undefined,
): readonly string[] {
  if (expected === undefined) return []
  return [
    ...expected.slice(positionals.length).filter((problem) => problem !== undefined),
    ...positionals.slice(expected.length).map((word) => `unexpected argument ${JSON.stringify(word)}`),
  ]
}

function show(
  { json, out = [], err = [], exitCode = EXIT.ok }: Shown,
  asJson: boolean,
  to: Terminal,
): number {
  // What is not written to is not opened, which would load a tenth of what a small verification loads.
  if (err.length > 0 && !asJson) writeLines(to.stderr, err)
  writeLines(to.stdout, asJson ? [jsonText(json)] : out)
  return exitCode
}

/** The value of an option that must be one of these. */
export function oneOf<Name extends string, Value extends string>(
  { value, reject }: Given<Name>,
  option: Name,
  allowed: readonly Value[],
): Value | undefined {
  const found = allowed.find((each) => each === value(option))
  reject(value(option) !== undefined && found === undefined && `--${option} must be ${allowed.join(', ')}`)
  return found
}

/**
 * The options of a command, by name: `'FILE  where to write it'` takes a value, `'TAG…  a tag'` can be repeated, and `'print alerts only'`
 * takes none. They parse the arguments and are printed in the help. `one`, `many` and `flag` are not printed.
 */
export type Options<Name extends string> = Readonly<Record<Name, string>>

const DESCRIBED = /^(\S+) {2}(.*)$/

function kindOf(option: string): OptionKind {
  if (option === 'one' || option === 'many' || option === 'flag') return option
  const [, value] = DESCRIBED.exec(option) ?? []
  return value === undefined ? 'flag' : value.endsWith('…') ? 'many' : 'one'
}

const WIDTH = 120
const LABEL_WIDTH = 28

/** The help with its options, in place of `[OPTIONS]` in the usage and of the line `OPTIONS`. */
export function helpText(help: string, options: Options<string>): string {
  const rows = Object.entries(options)
    .filter(([, option]) => option !== kindOf(option))
    .map(([name, option]) => {
      const [, value = '', text = option] = DESCRIBED.exec(option) ?? []
      const label = `--${name} ${value.replace('…', '')}`.trimEnd()
      return { name, label, text, mark: value.endsWith('…') ? '…' : '' }
    })
  const width = Math.min(LABEL_WIDTH, Math.max(...rows.map(({ label }) => label.length)))
  const table = rows.map(({ label, text }) =>
    folded([`  ${label.padEnd(width)} `, ...text.split(' ')], width + 4),
  )
  const [usage = '', ...paragraphs] = help.split('\n\n')
  const unnamed = rows.filter(({ name }) => !new RegExp(`--${name}(?![a-z-])`).test(usage))
  const unnamedOptions = unnamed.map(({ label, mark }) => `[${label}]${mark}`)
  const words = usage.split(' ').flatMap((word) => (word === '[OPTIONS]' ? unnamedOptions : word))
  return [usage.includes('[OPTIONS]') ? folded(words, 7) : usage, ...paragraphs]
    .join('\n\n')
    .replace(/^OPTIONS$/m, () => table.join('\n'))
}

/** Words in lines, of which those after the first are indented. */
function folded([first = '', ...words]: readonly string[], indent: number): string {
  const lines = [first]
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    if (last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(' '.repeat(indent) + word)
  }
  return lines.join('\n')
}

/** A list, as a table with these columns. JSON has all members. */
export function tableOf<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]) {
  const head = columns.map((name) => name.replaceAll('_', ' ').toUpperCase())
  const all = [head, ...rows.map((row) => columns.map((name) => inLine(row[name], name)))]
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)))
  return { json: wholeList(rows), out: lines.map((row) => row.join('  ').trimEnd()) }
}

/** An object, with a row for each member, and for each entry of a member that is a list. */
export function rowsOf(value: object): readonly string[] {
  const entries = Object.entries(value).map(([name, member]) => [name.replaceAll('_', ' '), member] as const)
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.flatMap(([name, member]) => {
    const texts = [member].flat().map((one: unknown) => inLine(one, name))
    return (texts.length === 0 ? ['-'] : texts).map(
      (text, at) => `${(at === 0 ? name : '').padEnd(width)}  ${text}`,
    )
  })
}

function inLine(value: unknown, name: string): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.map((one) => inLine(one, name)).join(', ') || '-'
  if (typeof value === 'number' && /\bbytes$/.test(name.replaceAll('_', ' '))) return formatBytes(value)
  if (typeof value !== 'object') return printable(String(value))
  const members = Object.entries(value).map(
    ([each, one]) => `${each.replaceAll('_', ' ')} ${inLine(one, each)}`,
  )
  return members.join(', ') || '-'
}
