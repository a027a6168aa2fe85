import { INVISIBLE } from '@kitseal/kit/internal'
import type { Administration, Config, OnProgress } from '@kitseal/server'
import { type Given, JSON_OPTION, type Run, runLine, type Shown, subcommands } from '../command-line.ts'
import { helpText, type Options } from '../help.ts'
import { taskProgress } from '../progress.ts'
import { type Terminal, EXIT, usageError } from '../terminal.ts'

export type Input = Given<string>

export interface Subcommand<Opened = Administration> {
  readonly options?: Options<string>
  /** A description of each positional argument, for error messages. */
  readonly positionals?: readonly string[]
  /** Validates the arguments, before anything is opened, and returns the operation. */
  readonly read: (input: Input) => (opened: Opened) => Promise<Shown>
}

/** Opens the part of the store that a subcommand works on. */
type Open<Opened> = (config: Config, terminal: Terminal) => Promise<Opened & AsyncDisposable>

const openAdministration: Open<Administration> = async (config) =>
  (await import('@kitseal/server')).openAdministration(config)

/** Every command has these. */
const COMMON = {
  data: "DIR  the service's data (default: KITSEAL_DATA, or ./data), unless KITSEAL_DATABASE_URL is set",
  json: JSON_OPTION,
} as const

/** Runs subcommands of `kitseal admin NAME`, whose options are all in one help. The service may be running. */
export function group(name: string, usage: string, verbs: Readonly<Record<string, Subcommand>>): Run {
  return groupOn(openAdministration, name, usage, verbs)
}

export function groupOn<Opened>(
  open: Open<Opened>,
  name: string,
  usage: string,
  verbs: Readonly<Record<string, Subcommand<Opened>>>,
): Run {
  const options = Object.assign({}, ...Object.values(verbs).map((verb) => verb.options)) as Options<string>
  const help = helpText(usage, { ...options, ...COMMON })
  const runs = Object.entries(verbs).map(([verb, each]) => [verb, adminCommand(name, help, each, open)])
  return subcommands(`admin ${name}`, help, Object.fromEntries(runs))
}

/** A command without subcommands. Without arguments, it shows its usage. */
export function single(name: string, usage: string, subcommand: Subcommand): Run {
  const run = adminCommand(name, usage, subcommand, openAdministration)
  return (args, terminal) => run(args.length === 0 ? ['--help'] : args, terminal)
}

/** The whole store, for `kitseal admin scrub`, `backup`, `restore` and `move`. */
export interface WholeStore {
  readonly config: Config
  readonly env: Terminal['env']
  readonly onProgress: OnProgress
}

/** A command on the whole store, which may not exist yet. */
export function storeTask(
  name: string,
  usage: string,
  task: Subcommand<WholeStore>,
  requiresStore = true,
): Run {
  return adminCommand(name, usage, task, openWholeStore, requiresStore)
}

const openWholeStore: Open<WholeStore> = async (config, terminal) => {
  const progress = taskProgress(terminal)
  const { env } = terminal
  return { config, env, onProgress: progress.report, [Symbol.asyncDispose]: async () => progress.clear() }
}

function adminCommand<Opened>(
  name: string,
  help: string,
  { options, positionals = [], read }: Subcommand<Opened>,
  open: Open<Opened>,
  requiresStore = true,
): Run {
  const line = {
    name: `admin ${name}`,
    help,
    options: { ...options, ...COMMON },
    arguments: positionals.map((argument) => `${argument} is required`),
    read,
  }
  return (args, terminal) =>
    runLine<string, ReturnType<typeof read>>(line, args, terminal, (operation, { value }) =>
      performOnStore({ command: line.name, data: value('data'), requiresStore }, terminal, async (config) => {
        await using opened = await open(config, terminal)
        return await operation(opened)
      }),
    )
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

export function onOff(input: Input, option: string): boolean | undefined {
  const text = input.value(option)
  if (text !== undefined && text !== 'on' && text !== 'off')
    input.reject(`--${option} must be on or off, not ${JSON.stringify(text)}`)
  return text === undefined ? undefined : text === 'on'
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

/** With exit code 1 unless `isOk`. */
export function done(text: readonly string[], json: unknown, isOk = true): Shown {
  return isOk ? { out: text, json } : { err: text, json, exitCode: EXIT.fail }
}

export function refused(code: string, ...text: readonly string[]): Shown {
  return done(text, { refused: code, message: text.join(' ') }, false)
}

export interface StoreCall {
  readonly command: string
  /** The folder of the data, if it was given. */
  readonly data: string | undefined
  /** Whether the store must exist. */
  readonly requiresStore: boolean
}

/** Performs an operation on the data of a service, which may be running. */
export async function performOnStore(
  { command, data, requiresStore }: StoreCall,
  terminal: Terminal,
  perform: (config: Config) => Promise<Shown>,
): Promise<Shown | number> {
  const { hasStore, readConfig } = await import('@kitseal/server')
  const config = readConfig(terminal.env, data === undefined ? {} : { KITSEAL_DATA: data })
  if (!config.ok) return usageError(terminal, command, config.problems)
  if (requiresStore && !hasStore(config.value)) return noStore(command, config.value)
  return perform(config.value).catch((error: unknown) => storeError(error, command, config.value))
}

function noStore(command: string, { dataFolder }: Config): Shown {
  const problem = `kitseal ${command}: no kitseal data found in ${dataFolder}.`
  const fix =
    'Pass the folder with --data DIR, set KITSEAL_DATABASE_URL, or start the service once to create it.'
  return { ...refused('no_data', problem, fix), exitCode: EXIT.usage }
}

/** Turns an error that the operator can fix into a result. Rethrows bugs. */
async function storeError(error: unknown, command: string, config: Config): Promise<Shown> {
  const { storeProblem, TransferRefused } = await import('@kitseal/server')
  if (error instanceof TransferRefused)
    return refused('transfer_refused', `kitseal ${command}: ${error.message}`)
  const isUnavailable = (error as Error).name === 'ObjectsUnavailable'
  const problem = isUnavailable ? (error as Error).message : storeProblem(error, config)
  if (problem === undefined) throw error
  return refused('store_unavailable', `kitseal ${command}: ${problem}`)
}

/** One address, without a name. The service accepts no other characters. */
export const EMAIL = /^[^\s@"<>()[\]\\,;:]+@[^\s@"<>()[\]\\,;:]+$/u
