import type { Administration } from '@kitseal/server'
import { type OptionKind, readArguments, suggestion } from '../arguments.ts'
import { EXIT, lines, type Terminal, usageError } from '../terminal.ts'

/** What is said: to a person, and to a program. */
export interface Answer {
  readonly lines: readonly string[]
  readonly json: unknown
  readonly exitCode: number
}

/** What was given with a verb. */
export interface Given {
  readonly words: readonly string[]
  value(option: string): string | undefined
  has(flag: string): boolean
  /** Says what is wrong with the call; nothing is done then. */
  problem(text: string): void
}

export interface Verb {
  readonly options: Readonly<Record<string, OptionKind>>
  /** What each word is, as the usage calls it. */
  readonly words: readonly string[]
  /** Reads what was given, before anything is opened, and returns what is left to do. */
  readonly read: (given: Given) => (admin: Administration) => Promise<Answer>
}

export interface Area {
  readonly name: string
  readonly usage: string
  readonly verbs: Readonly<Record<string, Verb>>
}

const SHARED = { data: 'one', json: 'flag' } as const

/** Runs one verb of `kitseal admin AREA` on the data of a service that may be running. */
export async function runArea(area: Area, args: readonly string[], terminal: Terminal): Promise<number> {
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
  return runVerb({ command, name: first, verb }, rest, terminal)
}

/** One thing to do, whose words and options are `args`. */
export async function runVerb(
  { command, name, verb }: { readonly command: string; readonly name: string; readonly verb: Verb },
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { words, values, flags, problems } = readArguments<string>(args, { ...verb.options, ...SHARED })
  const wrong = [...problems, ...wordProblems(name, verb, words)]
  const perform = verb.read({
    words,
    value: (option) => values.get(option)?.[0],
    has: (flag) => flags.has(flag),
    problem: (text) => wrong.push(text),
  })
  if (wrong.length > 0) return usageError(terminal, command, wrong)
  const answer = await onData(terminal, command, values.get('data')?.[0], perform)
  if (typeof answer === 'number') return answer
  if (flags.has('json')) lines(terminal.stdout, [JSON.stringify(answer.json, null, 2)])
  else lines(answer.exitCode === EXIT.ok ? terminal.stdout : terminal.stderr, answer.lines)
  return answer.exitCode
}

function wordProblems(name: string, verb: Verb, words: readonly string[]): readonly string[] {
  const missing = verb.words.slice(words.length).map((word) => `${name} needs ${word}`)
  const extra = words.slice(verb.words.length).map((word) => `${JSON.stringify(word)} is not expected here`)
  return [...missing, ...extra]
}

async function onData(
  terminal: Terminal,
  command: string,
  data: string | undefined,
  perform: (admin: Administration) => Promise<Answer>,
): Promise<Answer | number> {
  const { storeProblem, hasStore, openAdministration, readConfig } = await import('@kitseal/server')
  const config = readConfig(terminal.env, data === undefined ? {} : { KITSEAL_DATA: data })
  if (!config.ok) return usageError(terminal, command, config.problems)
  if (!hasStore(config.value)) {
    lines(terminal.stderr, [
      `kitseal ${command}: there is no data of a service in ${config.value.dataFolder}.`,
      'Name the folder with --data DIR, or start the service there once.',
    ])
    return EXIT.usage
  }
  try {
    await using admin = await openAdministration(config.value)
    return await perform(admin)
  } catch (error) {
    const problem = storeProblem(error, config.value)
    if (problem === undefined) throw error
    return refused('store_unavailable', `kitseal ${command}: ${problem}`)
  }
}

export function done(text: readonly string[], json: unknown): Answer {
  return { lines: text, json, exitCode: EXIT.ok }
}

export function refused(code: string, ...text: readonly string[]): Answer {
  return { lines: text, json: { refused: code, message: text.join(' ') }, exitCode: EXIT.fail }
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
