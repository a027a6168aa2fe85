import { run } from './commands/verify.ts'
import type { Terminal } from './terminal.ts'

/** `main()` for `kitseal verify` alone: it is started often, and without the other commands it starts sooner. */
export function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  return run(argv.slice(1), terminal)
}
