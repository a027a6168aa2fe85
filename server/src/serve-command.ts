import { serve, type ServeOptions } from './serve.ts'
import { type Setting, flagOf, SECRET_NAMES, SETTINGS } from './settings/settings.ts'
import { platform } from '@kitseal/kit/internal/node'

export type ServeTerminal = Pick<ServeOptions, 'env' | 'stdout' | 'stderr'>

const OK = 0
const USAGE = 2

/** Runs the service with the flags of `command`. Every setting is also a flag: `KITSEAL_PORT` is `--port`. */
export async function serveCommand(command: string, args: readonly string[], terminal: ServeTerminal) {
  const known = new Map(SETTINGS.filter((row) => !('secret' in row)).map((row) => [flagOf(row.name), row]))
  if (args.includes('--help') || args.includes('-h')) {
    terminal.stdout.write(helpText(command, known))
    return OK
  }
  const { flags, problems } = readFlags(command, args, (flag) => known.get(flag)?.name)
  if (problems.length > 0) {
    terminal.stderr.write([...problems.map((text) => `${command}: ${text}`), ''].join('\n'))
    return USAGE
  }
  outliveTerminal()
  return serve({ ...terminal, flags, stopped: untilSignal() })
}

function helpText(command: string, flags: ReadonlyMap<string, Setting>): string {
  const rows = [...flags].map(([flag, { meaning, takes, fallback, fallbackText = fallback }]) => {
    const preset = fallbackText === undefined ? '' : `; default ${fallbackText}`
    return `  ${flag.padEnd(28)}${meaning} (${takes}${preset})`.replaceAll('`', '')
  })
  const lines = [
    `usage: ${command} [FLAG VALUE]…`,
    '',
    'Runs the service until it is stopped. Each flag is also an environment variable: KITSEAL_PORT for --port.',
    `Secrets have no flag: ${SECRET_NAMES.join(', ')}.`,
    'Each can be in a file instead: KITSEAL_KEY_PASSPHRASE_FILE for KITSEAL_KEY_PASSPHRASE.',
    '',
    ...rows,
    '',
  ]
  return lines.join('\n')
}

/** Parses `--port 8080` and `--port=8080`; reports every problem. */
function readFlags(
  command: string,
  args: readonly string[],
  settingOf: (flag: string) => string | undefined,
): { readonly flags: Readonly<Record<string, string>>; readonly problems: readonly string[] } {
  const flags: Record<string, string> = {}
  const problems: string[] = []
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [flag = '', ...joined] = arg.split('=')
    const name = settingOf(flag)
    // Every flag takes a value, so the value of a misspelled flag is not reported too.
    const hasNoValue = !flag.startsWith('--') || rest[0]?.startsWith('--')
    const value = joined.length > 0 ? joined.join('=') : hasNoValue ? undefined : rest.shift()
    if (name === undefined) problems.push(`unknown option ${arg}. See ${command} --help.`)
    else if (value === undefined) problems.push(`${flag} needs a value.`)
    else flags[name] = value
  }
  return { flags, problems }
}

/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_REQUEST_MS = 1000

/** Resolves on a signal to stop. A second signal later than that ends the process immediately. */
export function untilSignal(signals = platform.stopSignals): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = (signal: NodeJS.Signals): void => {
      first ??= performance.now()
      if (performance.now() - first < SAME_REQUEST_MS) return resolve(signal)
      process.off(signal, onSignal)
      process.kill(process.pid, signal)
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}

/** Keeps the service running if its terminal closes or the log reader dies. */
function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
