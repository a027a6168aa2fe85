import type { Administration, Config } from '@kitseal/server'
import { type OptionKind, parseArguments, suggestion } from '../arguments.ts'
import { EXIT, type Terminal, usageError } from '../terminal.ts'
import { type Result, runOnStore } from './admin-result.ts'

/** The arguments of a verb. */
export interface Input {
  readonly words: readonly string[]
  value(option: string): string | undefined
  has(flag: string): boolean
  /** Reports a usage error, so that the verb does not run. */
  problem(text: string): void
}

export interface Verb<Opened = Administration> {
  readonly options: Readonly<Record<string, OptionKind>>
  /** A description of each positional argument, for error messages. */
  readonly words: readonly string[]
  /** Validates the arguments, before anything is opened, and returns the operation. */
  readonly read: (input: Input) => (opened: Opened) => Promise<Result>
}

export interface Area<Opened = Administration> {
  readonly name: string
  readonly usage: string
  readonly verbs: Readonly<Record<string, Verb<Opened>>>
}

/** Opens the part of the store that a verb works on. */
type Open<Opened> = (config: Config) => Promise<Opened & AsyncDisposable>

const openAdministration: Open<Administration> = async (config) =>
  (await import('@kitseal/server')).openAdministration(config)

const SHARED = { data: 'one', json: 'flag' } as const

/** Runs a verb of `kitseal admin AREA`. The service may be running. */
export function runArea(area: Area, args: readonly string[], terminal: Terminal): Promise<number> {
  return runAreaOn(openAdministration, area, args, terminal)
}

export async function runAreaOn<Opened>(
  open: Open<Opened>,
  area: Area<Opened>,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const command = `admin ${area.name}`
  const [first, ...rest] = args
  if (first === undefined || args.includes('--help') || args.includes('-h')) {
    terminal.stdout.write(area.usage)
    return EXIT.ok
  }
  const verb = Object.hasOwn(area.verbs, first) ? area.verbs[first] : undefined
  if (verb === undefined) {
    const problem = `unknown command ${JSON.stringify(first)}${suggestion(first, Object.keys(area.verbs))}`
    return usageError(terminal, command, [problem])
  }
  return runVerb({ command, verb, open }, rest, terminal)
}

interface VerbCall<Opened> {
  readonly command: string
  readonly verb: Verb<Opened>
  readonly open: Open<Opened>
}

/** Runs an area with a single verb, whose name is not typed. */
export function runOnly(
  call: Omit<VerbCall<Administration>, 'open'>,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  return runVerb({ ...call, open: openAdministration }, args, terminal)
}

async function runVerb<Opened>(
  { command, verb, open }: VerbCall<Opened>,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const read = parseArguments<string>(args, { ...verb.options, ...SHARED })
  const problems = [...read.problems, ...wordProblems(verb, read.words)]
  const perform = verb.read({
    words: read.words,
    value: (option) => read.values.get(option)?.[0],
    has: (flag) => read.flags.has(flag),
    problem: (text) => problems.push(text),
  })
  if (problems.length > 0) return usageError(terminal, command, problems)
  return runOnStore({ command, read, requiresStore: true }, terminal, async (config) => {
    await using opened = await open(config)
    return await perform(opened)
  })
}

function wordProblems(verb: Pick<Verb, 'words'>, words: readonly string[]): readonly string[] {
  const missing = verb.words.slice(words.length).map((word) => `${word} is required`)
  const extra = words.slice(verb.words.length).map((word) => `unexpected argument ${JSON.stringify(word)}`)
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

/** The value of an option as one line of text. */
export function label(input: Input, option: string): string | undefined {
  const text = input.value(option)
  if (text !== undefined && (Array.from(text).length > 200 || /\p{Cc}/u.test(text)))
    input.problem(`--${option} must be one line of at most 200 characters`)
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
