// Runs a command in its own process group, so that all it has started can be ended with it.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Why a command was ended before it had finished. */
export interface Cut {
  readonly reason: string
}

export interface CommandOptions {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly limitMs: number
  /** Called before the processes are ended. */
  readonly onCut: (cut: Cut) => void
}

/** A process that ignores SIGTERM for this long gets SIGKILL. */
const GRACE_MS = 5000
const POLL_MS = 50
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Whether the command exits with 0. A command that is cut does not, and all its processes have ended then. */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  { cwd, env, limitMs, onCut }: CommandOptions,
): Promise<boolean> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
  const { promise: ended, resolve: end } = Promise.withResolvers<number | null | Cut>()
  child.once('exit', end)
  child.once('error', (error) => {
    console.error(`${program}: ${error.message}`)
    end(null)
  })
  const timer = setTimeout(() => end({ reason: `the limit of ${limitMs / 1000} s` }), limitMs)
  const onSignal = (signal: string): void => end({ reason: signal })
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    const result = await ended
    if (typeof result !== 'object' || result === null) return result === 0
    onCut(result)
    await endGroup(child.pid)
    return false
  } finally {
    clearTimeout(timer)
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}

async function endGroup(group: number | undefined): Promise<void> {
  if (group === undefined) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const deadline = performance.now() + GRACE_MS
    let left = signalGroup(group, signal)
    while (left && performance.now() < deadline) {
      await sleep(POLL_MS)
      left = signalGroup(group, 0)
    }
    if (!left) return
  }
}

/** Returns false if the group has no processes. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}
