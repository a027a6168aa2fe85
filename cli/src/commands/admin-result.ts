import type { Config } from '@kitseal/server'
import type { ParsedArguments } from '../arguments.ts'
import { EXIT, jsonText, writeLines, type Terminal, usageError } from '../terminal.ts'

/** The outcome of an admin command, as text and as JSON. */
export interface Result {
  readonly lines: readonly string[]
  readonly json: unknown
  readonly exitCode: number
}

export function done(text: readonly string[], json: unknown): Result {
  return { lines: text, json, exitCode: EXIT.ok }
}

export function refused(code: string, ...text: readonly string[]): Result {
  return { lines: text, json: { refused: code, message: text.join(' ') }, exitCode: EXIT.fail }
}

export interface StoreCall {
  readonly command: string
  readonly read: Pick<ParsedArguments<string>, 'values' | 'flags'>
  /** Whether the store must exist. */
  readonly requiresStore: boolean
}

/** Runs an operation on the data of a service, which may be running. Prints the result and returns the exit code. */
export async function runOnStore(
  { command, read: { values, flags }, requiresStore }: StoreCall,
  terminal: Terminal,
  perform: (config: Config) => Promise<Result>,
): Promise<number> {
  const { hasStore, readConfig } = await import('@kitseal/server')
  const data = values.get('data')?.[0]
  const config = readConfig(terminal.env, data === undefined ? {} : { KITSEAL_DATA: data })
  if (!config.ok) return usageError(terminal, command, config.problems)
  const result =
    requiresStore && !hasStore(config.value)
      ? noStore(command, config.value)
      : await perform(config.value).catch((error: unknown) => storeError(error, command, config.value))
  return printResult(result, flags, terminal)
}

/** Prints a result and returns its exit code. */
export function printResult(
  { json, lines: text, exitCode }: Result,
  flags: ReadonlySet<string>,
  terminal: Terminal,
): number {
  if (flags.has('json')) writeLines(terminal.stdout, [jsonText(json)])
  else writeLines(exitCode === EXIT.ok ? terminal.stdout : terminal.stderr, text)
  return exitCode
}

function noStore(command: string, { dataFolder }: Config): Result {
  const problem = `kitseal ${command}: no kitseal data found in ${dataFolder}.`
  const fix =
    'Pass the folder with --data DIR, set KITSEAL_DATABASE_URL, or start the service once to create it.'
  return { ...refused('no_data', problem, fix), exitCode: EXIT.usage }
}

/** Turns an error that the operator can fix into a result. Rethrows bugs. */
async function storeError(error: unknown, command: string, config: Config): Promise<Result> {
  const { storeProblem, TransferRefused } = await import('@kitseal/server')
  if (error instanceof TransferRefused)
    return refused('transfer_refused', `kitseal ${command}: ${error.message}`)
  const isUnavailable = (error as Error).name === 'ObjectsUnavailable'
  const problem = isUnavailable ? (error as Error).message : storeProblem(error, config)
  if (problem === undefined) throw error
  return refused('store_unavailable', `kitseal ${command}: ${problem}`)
}
