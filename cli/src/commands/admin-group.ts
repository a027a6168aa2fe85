import { INVISIBLE } from '@kitseal/kit/internal'
import type { Administration, Config, OnProgress } from '@kitseal/server'
import type { OptionKind } from '../arguments.ts'
import { type Given, type Run, runLine, type Shown, subcommands } from '../command-line.ts'
import { taskProgress } from '../task-progress.ts'
import type { Terminal } from '../terminal.ts'
import { performOnStore } from './admin-result.ts'

export type Input = Given<string>

export interface Subcommand<Opened = Administration> {
  readonly options?: Readonly<Record<string, OptionKind>>
  /** A description of each positional argument, for error messages. */
  readonly positionals?: readonly string[]
  /** Validates the arguments, before anything is opened, and returns the operation. */
  readonly read: (input: Input) => (opened: Opened) => Promise<Shown>
}

/** Opens the part of the store that a subcommand works on. */
type Open<Opened> = (config: Config, terminal: Terminal) => Promise<Opened & AsyncDisposable>

const openAdministration: Open<Administration> = async (config) =>
  (await import('@kitseal/server')).openAdministration(config)

/** Runs subcommands of `kitseal admin NAME`. The service may be running. */
export function group(name: string, usage: string, verbs: Readonly<Record<string, Subcommand>>): Run {
  return groupOn(openAdministration, name, usage, verbs)
}

export function groupOn<Opened>(
  open: Open<Opened>,
  name: string,
  usage: string,
  verbs: Readonly<Record<string, Subcommand<Opened>>>,
): Run {
  const runs = Object.entries(verbs).map(([verb, each]) => [verb, adminCommand(name, usage, each, open)])
  return subcommands(`admin ${name}`, usage, Object.fromEntries(runs))
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
    options: { ...options, data: 'one' } as const,
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
