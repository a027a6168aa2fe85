import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** Runs a program and returns the seconds it took. */
export async function run(command: readonly string[], env = process.env): Promise<number> {
  const start = performance.now()
  await ended(command, begin(command, env))
  return (performance.now() - start) / 1000
}

/**
 * Runs a program and returns its peak memory in MB, as last reported by the kernel. Not done during timing: on two busy
 * cores, polling would slow the program down.
 */
export async function peakMemory(command: readonly string[]): Promise<number> {
  const child = begin(command)
  let peakMb = 0
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid))
  }, 10)
  await ended(command, child)
  clearInterval(watch)
  return peakMb
}

function begin([program = '', ...args]: readonly string[], env = process.env): ChildProcess {
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
}

async function ended(command: readonly string[], child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}`)
}

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
