import { INVISIBLE } from '@kitseal/kit/internal'
import type * as Server from '@kitseal/server'
import type { Administration, Config, OnProgress, Store } from '@kitseal/server'
import {
  type Given,
  JSON_OPTION,
  type Run,
  runLine,
  type Shown,
  subcommands,
  helpText,
  type Options,
  rowsOf,
} from '../command-line.ts'
import { taskProgress } from '../progress.ts'
import type { Keyboard } from '../prompt-secret.ts'
import { EXIT, type Terminal, usageError } from '../terminal.ts'

export type Input = Given<string>

/** What an operation works with. The service may be running. */
export interface AdminCall {
  /** Loaded when a command runs, because it is large. */
  readonly server: typeof Server
  readonly config: Config
  readonly terminal: Terminal & { readonly stdin?: Keyboard }
  /** Shown on standard error. */
  readonly onProgress: OnProgress
}

export type Operation = (call: AdminCall) => Promise<Shown>

export interface Subcommand {
  readonly options?: Options<string>
  /** A description of each positional argument, for error messages. */
  readonly positionals?: readonly string[]
  /** Whether it creates the store. */
  readonly createsStore?: boolean
  /** Validates the arguments, before anything is opened, and returns the operation. */
  readonly read: (input: Input) => Operation
}

/** An operation on workspaces, their keys and people. */
export const onAdministration =
  (act: (admin: Administration, call: AdminCall) => Promise<Shown>): Operation =>
  async (call) => {
    await using admin = await call.server.openAdministration(call.config)
    return await act(admin, call)
  }

/** An operation on the database, the objects and the keys. */
export const onStore =
  (act: (store: Store, call: AdminCall) => Promise<Shown>): Operation =>
  async (call) => {
    await using store = await call.server.openStore(call.config)
    return await act(store, call)
  }

/** Every command has these. */
const COMMON = {
  data: "DIR  the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set",
  json: JSON_OPTION,
} as const

/** Runs subcommands of `kitseal admin NAME`, whose options are all in one help. */
export function group(name: string, usage: string, verbs: Readonly<Record<string, Subcommand>>): Run {
  const options: Options<string> = Object.assign({}, ...Object.values(verbs).map((verb) => verb.options))
  const help = helpText(usage, { ...options, ...COMMON })
  const runs = Object.entries(verbs).map(([verb, each]) => [verb, single(name, help, each)])
  return subcommands(`admin ${name}`, help, Object.fromEntries(runs))
}

/** `kitseal admin NAME` without subcommands. */
export function single(
  name: string,
  help: string,
  { options, positionals = [], createsStore = false, read }: Subcommand,
): Run {
  const line = {
    name: `admin ${name}`,
    help,
    options: { ...options, ...COMMON },
    arguments: positionals.map((argument) => `${argument} is required`),
    read,
  }
  return (args, terminal) =>
    runLine<string, Operation>(line, args, terminal, async (operation, { value }) => {
      const server = await import('@kitseal/server')
      const data = value('data')
      const settings = server.readConfig(terminal.env, data === undefined ? {} : { KITSEAL_DATA: data })
      if (!settings.ok) return usageError(terminal, line.name, settings.problems)
      const config = settings.value
      if (!createsStore && !server.hasStore(config)) return noStore(line.name, config)
      const progress = taskProgress(terminal)
      try {
        return await operation({ server, config, terminal, onProgress: progress.report })
      } catch (error) {
        return refusedBy(error, line.name, config, server)
      } finally {
        progress.clear()
      }
    })
}

function noStore(command: string, { dataFolder }: Config): Shown {
  const problem = `kitseal ${command}: no kitseal data found in ${dataFolder}.`
  const fix =
    'Pass the folder with --data DIR, set KITSEAL_DATABASE_URL, or start the service once to create it.'
  return { ...refused('no_data', problem, fix), exitCode: EXIT.usage }
}

/** Turns an error that the operator can fix into a result. Rethrows bugs. */
function refusedBy(error: unknown, command: string, config: Config, server: typeof Server): Shown {
  if (error instanceof server.TransferRefused)
    return refused('transfer_refused', `kitseal ${command}: ${error.message}`)
  const isUnavailable = error instanceof Error && error.name === 'ObjectsUnavailable'
  const problem = isUnavailable ? error.message : server.storeProblem(error, config)
  if (problem === undefined) throw error
  return refused('store_unavailable', `kitseal ${command}: ${problem}`)
}

/** The value of an option as a whole number. */
export function wholeNumber(input: Input, option: string, min: number, max: number): number | undefined {
  const text = input.value(option)
  if (text === undefined) return undefined
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  input.reject(`--${option} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`)
  return undefined
}

/** The service accepts no other characters in labels. */
export const LABEL = `^[^${INVISIBLE.breaking}]*$`

/** The value of an option as one line of text. */
export function label(input: Input, option: string): string | undefined {
  const text = input.value(option)
  if (text === undefined) return undefined
  const length = Array.from(text.trim()).length
  if (length < 1 || length > 200 || !new RegExp(LABEL, 'u').test(text))
    input.reject(
      `--${option} must be one line of 1 to 200 characters without control or bidirectional characters`,
    )
  return text
}

/** What was made or changed, and what to know about it. */
export const described = (json: object, ...notes: readonly string[]): Shown =>
  done([...rowsOf(json), ...notes], json)

export const SHOWN_ONCE = 'The API key is shown only now and is not stored. Keep it secret.'

/** With exit code 1 unless `isOk`. */
export function done(text: readonly string[], json: unknown, isOk = true): Shown {
  return isOk ? { out: text, json } : { err: text, json, exitCode: EXIT.fail }
}

export function refused(code: string, ...text: readonly string[]): Shown {
  return done(text, { refused: code, message: text.join(' ') }, false)
}
