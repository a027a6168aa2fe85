import type { Terminal } from './terminal.ts'

/** What each module under commands/ exports. */
export interface Command {
  /** Runs the command and returns its exit code. */
  run(args: readonly string[], terminal: Terminal, commands: CommandTable): Promise<number>
}

/** Commands by name. Each is loaded only when it runs, because start-up time counts. */
export type CommandTable = Readonly<Record<string, readonly [summary: string, load: () => Promise<Command>]>>

/** Whether the command needs the server package, which the one-file builds leave out. */
export function isServerMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /['"]@kitseal\/server|No such built-in module: @kitseal/.test(error.message)
  )
}
