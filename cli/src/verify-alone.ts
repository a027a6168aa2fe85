import { run } from './commands/verify.ts'
import type { Terminal } from './terminal.ts'
import { withProxy } from './use-proxy.ts'

/** `main()` for `kitseal verify` only, which starts faster without the other commands. */
export function main([name = '', ...args]: readonly string[], terminal: Terminal): Promise<number> {
  return withProxy(name, args, terminal, () => run(args, terminal))
}
