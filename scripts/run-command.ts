// Runs a command in its own process group, so that all it has started can be ended with it.
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
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
    await endAll(child.pid)
    return false
  } finally {
    clearTimeout(timer)
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}

/** Ends the process, all that it has started, and what these have started, in whatever process group. */
async function endAll(pid: number | undefined): Promise<void> {
  if (pid === undefined) return
  const groups = groupsOf(pid)
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const deadline = performance.now() + GRACE_MS
    let left = groups.filter((group) => signalGroup(group, signal))
    while (left.length > 0 && performance.now() < deadline) {
      await sleep(POLL_MS)
      left = left.filter((group) => signalGroup(group, 0))
    }
    if (left.length === 0) return
  }
}

/** The process groups of a process and its descendants: browsers and shells have their own. Without /proc, the first only. */
function groupsOf(pid: number): readonly number[] {
  const found = new Map([[pid, pid]])
  const processes = globSync('/proc/[0-9]*/stat').flatMap(readStat)
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const { id, parent, group } of processes) if (found.has(parent)) found.set(id, group)
  }
  return [...new Set(found.values())]
}

function readStat(file: string) {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const [, parent, group] = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return [{ id: Number(path.basename(path.dirname(file))), parent: Number(parent), group: Number(group) }]
  } catch {
    return [] // It has ended.
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
