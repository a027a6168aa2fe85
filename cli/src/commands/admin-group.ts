import type { Administration, Config } from '@kitseal/server'
import { type OptionKind, parseArguments, suggestion } from '../arguments.ts'
import { EXIT, type Terminal, usageError } from '../terminal.ts'
import { type Result, runOnStore } from './admin-result.ts'

/** The arguments of a subcommand. */
export interface Input {
  readonly positionals: readonly string[]
  value(option: string): string | undefined
  /** The values of an option that can be repeated. */
  values(option: string): readonly string[]
  has(flag: string): boolean
  /** Reports a usage error, so that the subcommand does not run. */
  problem(text: string): void
}

export interface Subcommand<Opened = Administration> {
  readonly options: Readonly<Record<string, OptionKind>>
  /** A description of each positional argument, for error messages. */
  readonly positionals: readonly string[]
  /** Validates the arguments, before anything is opened, and returns the operation. */
  readonly read: (input: Input) => (opened: Opened) => Promise<Result>
}

export interface CommandGroup<Opened = Administration> {
  readonly name: string
  readonly usage: string
  readonly subcommands: Readonly<Record<string, Subcommand<Opened>>>
}

/** Opens the part of the store that a subcommand works on. */
type Open<Opened> = (config: Config) => Promise<Opened & AsyncDisposable>

const openAdministration: Open<Administration> = async (config) =>
  (await import('@kitseal/server')).openAdministration(config)

const SHARED = { data: 'one', json: 'flag' } as const

/** Runs a subcommand of `kitseal admin GROUP`. The service may be running. */
export function runGroup(group: CommandGroup, args: readonly string[], terminal: Terminal): Promise<number> {
  return runGroupOn(openAdministration, group, args, terminal)
}

export async function runGroupOn<Opened>(
  open: Open<Opened>,
  group: CommandGroup<Opened>,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const command = `admin ${group.name}`
  const [first, ...rest] = args
  if (first === undefined || args.includes('--help') || args.includes('-h')) {
    terminal.stdout.write(group.usage)
    return EXIT.ok
  }
  const subcommand = Object.hasOwn(group.subcommands, first) ? group.subcommands[first] : undefined
  if (subcommand === undefined) {
    const problem = `unknown command ${JSON.stringify(first)}${suggestion(first, Object.keys(group.subcommands))}`
    return usageError(terminal, command, [problem])
  }
  return runSubcommand({ command, subcommand, open }, rest, terminal)
}

interface SubcommandCall<Opened> {
  readonly command: string
  readonly subcommand: Subcommand<Opened>
  readonly open: Open<Opened>
}

/** Runs a group with a single subcommand, whose name is not typed. */
export function runSingle(
  call: Omit<SubcommandCall<Administration>, 'open'>,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  return runSubcommand({ ...call, open: openAdministration }, args, terminal)
}

async function runSubcommand<Opened>(
  { command, subcommand, open }: SubcommandCall<Opened>,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const read = parseArguments<string>(args, { ...subcommand.options, ...SHARED })
  const problems = [...read.problems, ...positionalProblems(subcommand, read.positionals)]
  const perform = subcommand.read({
    positionals: read.positionals,
    value: (option) => read.values.get(option)?.[0],
    values: (option) => read.values.get(option) ?? [],
    has: (flag) => read.flags.has(flag),
    problem: (text) => problems.push(text),
  })
  if (problems.length > 0) return usageError(terminal, command, problems)
  return runOnStore({ command, read, requiresStore: true }, terminal, async (config) => {
    await using opened = await open(config)
    return await perform(opened)
  })
}

function positionalProblems(
  subcommand: Pick<Subcommand, 'positionals'>,
  positionals: readonly string[],
): readonly string[] {
  const missing = subcommand.positionals.slice(positionals.length).map((name) => `${name} is required`)
  const extra = positionals
    .slice(subcommand.positionals.length)
    .map((name) => `unexpected argument ${JSON.stringify(name)}`)
  return [...missing, ...extra]
}

/** The value of an option as a whole number. */
export function wholeNumber(input: Input, option: string, min: number, max: number): number | undefined {
  const text = input.value(option)
  if (text === undefined) return undefined
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  input.problem(`--${option} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`)
  return undefined
}

export function onOff(input: Input, option: string): boolean | undefined {
  const text = input.value(option)
  if (text !== undefined && text !== 'on' && text !== 'off')
    input.problem(`--${option} must be on or off, not ${JSON.stringify(text)}`)
  return text === undefined ? undefined : text === 'on'
}

/** The service accepts no other characters in labels. */
export const LABEL = String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$`

/** The value of an option as one line of text. */
export function label(input: Input, option: string): string | undefined {
  const text = input.value(option)
  if (text === undefined) return undefined
  const length = Array.from(text.trim()).length
  if (length < 1 || length > 200 || !new RegExp(LABEL, 'u').test(text))
    input.problem(
      `--${option} must be one line of 1 to 200 characters without control or bidirectional characters`,
    )
  return text
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
