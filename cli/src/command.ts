import type { Terminal } from './terminal.ts'

/** What each module under commands/ exports. */
export interface Command {
  /** Runs the command and returns its exit code. */
  run(args: readonly string[], terminal: Terminal, commands: CommandTable): Promise<number>
}

/** Commands by name. Each is loaded only when it runs, because start-up time counts. */
export type CommandTable = Readonly<Record<string, readonly [summary: string, load: () => Promise<Command>]>>

/** Why a command cannot be loaded here: the one-file builds leave out the server, and older releases of Node.js have no SQLite. */
export function missingPart(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  if (/['"]@kitseal\/server|No such built-in module: @kitseal/.test(error.message))
    return 'this build does not include the server'
  if (/\bnode:sqlite\b/.test(error.message))
    return `this command needs Node.js 22.13 or newer, and this is Node.js ${process.versions.node}. Use a newer one, or the executable of the release, which needs none.`
  return undefined
}
