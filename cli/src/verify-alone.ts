import { run } from './commands/verify.ts'
import type { Terminal } from './terminal.ts'

/** `main()` for `kitseal verify` only, which starts faster without the other commands. */
export function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  return run(argv.slice(1), terminal)
}
