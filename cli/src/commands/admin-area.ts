import type { Administration, Config } from '@kitseal/server'
import { type OptionKind, readArguments, suggestion } from '../arguments.ts'
import { EXIT, type Terminal, usageError } from '../terminal.ts'
import { type Answer, answerOnData } from './admin-answer.ts'

/** What was given with a verb. */
export interface Given {
  readonly words: readonly string[]
  value(option: string): string | undefined
  has(flag: string): boolean
  /** Says what is wrong with the call; nothing is done then. */
  problem(text: string): void
}

export interface Verb<Opened = Administration> {
  readonly options: Readonly<Record<string, OptionKind>>
  /** What each word is, as the usage calls it. */
  readonly words: readonly string[]
  /** Reads what was given, before anything is opened, and returns what is left to do. */
  readonly read: (given: Given) => (opened: Opened) => Promise<Answer>
}

export interface Area<Opened = Administration> {
  readonly name: string
  readonly usage: string
  readonly verbs: Readonly<Record<string, Verb<Opened>>>
}

/** What of a store a verb works on. */
type Open<Opened> = (config: Config) => Promise<Opened & AsyncDisposable>

const openAdministration: Open<Administration> = async (config) =>
  (await import('@kitseal/server')).openAdministration(config)

const SHARED = { data: 'one', json: 'flag' } as const

/** Runs one verb of `kitseal admin AREA` on the workspaces of a service that may be running. */
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
    const problem = `there is no ${JSON.stringify(first)}${suggestion(first, Object.keys(area.verbs))}`
    return usageError(terminal, command, [problem])
  }
  return runVerb({ command, name: first, verb, open }, rest, terminal)
}

interface VerbCall<Opened> {
  readonly command: string
  readonly name: string
  readonly verb: Verb<Opened>
  readonly open: Open<Opened>
}

/** Runs the one verb of an area that has no others: its words and options are `args`. */
export function runOnly(
  call: Omit<VerbCall<Administration>, 'open'>,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  return runVerb({ ...call, open: openAdministration }, args, terminal)
}

async function runVerb<Opened>(
  { command, name, verb, open }: VerbCall<Opened>,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const read = readArguments<string>(args, { ...verb.options, ...SHARED })
  const wrong = [...read.problems, ...wordProblems(name, verb, read.words)]
  const perform = verb.read({
    words: read.words,
    value: (option) => read.values.get(option)?.[0],
    has: (flag) => read.flags.has(flag),
    problem: (text) => wrong.push(text),
  })
  if (wrong.length > 0) return usageError(terminal, command, wrong)
  return answerOnData({ command, read, onStore: true }, terminal, async (config) => {
    await using opened = await open(config)
    return await perform(opened)
  })
}

function wordProblems(name: string, verb: Pick<Verb, 'words'>, words: readonly string[]): readonly string[] {
  const missing = verb.words.slice(words.length).map((word) => `${name} needs ${word}`)
  const extra = words.slice(verb.words.length).map((word) => `${JSON.stringify(word)} is not expected here`)
  return [...missing, ...extra]
}

/** A whole number of an option; says so where it is not one. */
export function wholeNumber(given: Given, option: string, least: number, most: number): number | undefined {
  const text = given.value(option)
  if (text === undefined) return undefined
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  given.problem(`--${option} takes a whole number from ${least} to ${most}, and not ${JSON.stringify(text)}`)
  return undefined
}

export function onOff(given: Given, option: string): boolean | undefined {
  const text = given.value(option)
  if (text !== undefined && text !== 'on' && text !== 'off')
    given.problem(`--${option} takes on or off, and not ${JSON.stringify(text)}`)
  return text === undefined ? undefined : text === 'on'
}

/** One line of text, as names and labels are. */
export function label(given: Given, option: string): string | undefined {
  const text = given.value(option)
  if (text !== undefined && (Array.from(text).length > 200 || /\p{Cc}/u.test(text)))
    given.problem(`--${option} takes one line of at most 200 characters`)
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
