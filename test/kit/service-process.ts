import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { constantsOption } from './constants.ts'
import { LEAN } from '../../server/lean-process.cjs'

export interface ServiceProcess {
  readonly base: string
  readonly metricsUrl: string
  readonly pid: number
  readonly stdout: () => string
  readonly stderr: () => string
  /** Sends a signal; resolves to the exit code, or to the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
  /** Waits until the process exits by itself; resolves like `end`. */
  ended(): Promise<number | NodeJS.Signals | null>
}

const KITSEAL = fileURLToPath(new URL('../../cli/bin/kitseal.cjs', import.meta.url))

/** Starts the service as its own process; resolves when it has printed its address. */
export async function serviceProcess(
  settings: Readonly<Record<string, string>>,
  main = KITSEAL,
  args: readonly string[] = main === KITSEAL ? ['serve'] : [],
): Promise<ServiceProcess> {
  const credentials = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'))
  const env = {
    ...Object.fromEntries(credentials),
    PATH: process.env['PATH'],
    ...LEAN.variables,
    ...(process.env['NODE_COMPILE_CACHE'] === undefined
      ? {}
      : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
    KITSEAL_PORT: '0',
    KITSEAL_METRICS_LISTEN: '127.0.0.1:0',
    KITSEAL_RATE_LIMIT: 'off',
    ...settings,
  }
  const child = spawn(process.execPath, [LEAN.option, ...constantsOption(settings), main, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'exit')
  const texts = { stdout: '', stderr: '' }
  child.stderr.on('data', (text) => (texts.stderr += String(text)))
  const base = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      texts.stdout += String(text)
      const address = /address +(\S+)/.exec(texts.stdout)?.[1]
      if (address !== undefined && texts.stdout.includes('Ctrl-C')) resolve(address)
    })
    child.once('exit', (code) =>
      reject(new Error(`the service ended (${code}) before it served: ${texts.stderr}`)),
    )
  })
  return {
    base,
    metricsUrl: /metrics +(\S+)/.exec(texts.stdout)?.[1] ?? '',
    pid: child.pid ?? 0,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    end: (signal) => endProcess(child, signal),
    ended: async () => {
      await exit
      return child.exitCode ?? child.signalCode
    },
  }
}

async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
  return child.exitCode ?? child.signalCode
}
