import type { Config } from '@kitseal/server'
import type { ReadArguments } from '../arguments.ts'
import { EXIT, jsonText, lines, type Terminal, usageError } from '../terminal.ts'

/** What is said: to a person, and to a program. */
export interface Answer {
  readonly lines: readonly string[]
  readonly json: unknown
  readonly exitCode: number
}

export function done(text: readonly string[], json: unknown): Answer {
  return { lines: text, json, exitCode: EXIT.ok }
}

export function refused(code: string, ...text: readonly string[]): Answer {
  return { lines: text, json: { refused: code, message: text.join(' ') }, exitCode: EXIT.fail }
}

export interface AdminCall {
  readonly command: string
  readonly read: Pick<ReadArguments<string>, 'values' | 'flags'>
  /** Whether there has to be a store already. */
  readonly onStore: boolean
}

/** Does something with the data of a service, which may be running; says what came of it, and returns the exit code. */
export async function answerOnData(
  { command, read: { values, flags }, onStore }: AdminCall,
  terminal: Terminal,
  perform: (config: Config) => Promise<Answer>,
): Promise<number> {
  const { hasStore, readConfig } = await import('@kitseal/server')
  const data = values.get('data')?.[0]
  const config = readConfig(terminal.env, data === undefined ? {} : { KITSEAL_DATA: data })
  if (!config.ok) return usageError(terminal, command, config.problems)
  const answer =
    onStore && !hasStore(config.value)
      ? noStore(command, config.value)
      : await perform(config.value).catch((error: unknown) => ofStore(error, command, config.value))
  return say(answer, flags, terminal)
}

/** Returns the exit code. */
export function say(
  { json, lines: text, exitCode }: Answer,
  flags: ReadonlySet<string>,
  terminal: Terminal,
): number {
  if (flags.has('json')) lines(terminal.stdout, [jsonText(json)])
  else lines(exitCode === EXIT.ok ? terminal.stdout : terminal.stderr, text)
  return exitCode
}

function noStore(command: string, { dataFolder }: Config): Answer {
  const why = `kitseal ${command}: there is no data of a service in ${dataFolder}.`
  const mend = 'Name the folder with --data DIR, set KITSEAL_DATABASE_URL, or start the service there once.'
  return { ...refused('no_data', why, mend), exitCode: EXIT.usage }
}

/** What an operator can act on; anything else is a fault of ours, and is thrown. */
async function ofStore(error: unknown, command: string, config: Config): Promise<Answer> {
  const { storeProblem, TransferRefused } = await import('@kitseal/server')
  if (error instanceof TransferRefused)
    return refused('transfer_refused', `kitseal ${command}: ${error.message}`)
  const isAway = (error as Error).name === 'ObjectsUnavailable'
  const problem = isAway ? (error as Error).message : storeProblem(error, config)
  if (problem === undefined) throw error
  return refused('store_unavailable', `kitseal ${command}: ${problem}`)
}
