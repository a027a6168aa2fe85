import { InputError, reportInputError } from './input-error.ts'
import { run } from './commands/verify.ts'
import type { Terminal } from './terminal.ts'
import { useProxy } from './use-proxy.ts'

/** `main()` for `kitseal verify` only, which starts faster without the other commands. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  const args = argv.slice(1)
  let stopProxy: (() => void) | undefined
  try {
    stopProxy = await useProxy(terminal.env)
    return await run(args, terminal)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return reportInputError(error, 'verify', terminal, args.includes('--json'))
  } finally {
    stopProxy?.()
  }
}
