import type { ServeTerminal } from '@kitseal/server'

/** `kitseal serve`. */
export async function run(args: readonly string[], terminal: ServeTerminal): Promise<number> {
  const { serveCommand } = await import('@kitseal/server')
  return serveCommand('kitseal serve', args, terminal)
}
