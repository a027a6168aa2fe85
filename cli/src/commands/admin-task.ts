import type { Config, OnProgress } from '@kitseal/server'
import { type OptionKind, type ParsedArguments, parseArguments } from '../arguments.ts'
import { EXIT, type Terminal, usageError } from '../terminal.ts'
import { taskProgress } from '../task-progress.ts'
import { type Result, runOnStore } from './admin-result.ts'

/** A command on the whole store: `kitseal admin scrub`, `backup`, `restore`, `move`. */
export interface StoreTask {
  readonly name: string
  readonly usage: string
  readonly options: Readonly<Record<string, OptionKind>>
  /** A description of each positional argument, for error messages. */
  readonly positionals: readonly string[]
  /** Whether the store must exist. */
  readonly requiresStore: boolean
  readonly problems?: (read: ParsedArguments<string>) => readonly string[]
  readonly perform: (config: Config, read: ParsedArguments<string>, onProgress: OnProgress) => Promise<Result>
}

export async function runTask(task: StoreTask, args: readonly string[], terminal: Terminal): Promise<number> {
  const command = `admin ${task.name}`
  if (args.includes('--help') || args.includes('-h')) {
    terminal.stdout.write(task.usage)
    return EXIT.ok
  }
  const read = parseArguments<string>(args, { ...task.options, data: 'one', json: 'flag' })
  const missing = task.positionals.slice(read.positionals.length).map((word) => `${word} is required`)
  const extra = read.positionals
    .slice(task.positionals.length)
    .map((word) => `unexpected argument ${JSON.stringify(word)}`)
  const problems = [...read.problems, ...missing, ...extra, ...(task.problems?.(read) ?? [])]
  if (problems.length > 0) return usageError(terminal, command, problems)
  return runOnStore({ command, read, requiresStore: task.requiresStore }, terminal, async (config) => {
    const progress = taskProgress(terminal)
    try {
      return await task.perform(config, read, progress.report)
    } finally {
      progress.clear()
    }
  })
}
