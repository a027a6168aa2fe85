import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

export interface Run {
  readonly seconds: number
  readonly peakMb: number
}

/** Runs a program to its end; its peak memory is what the kernel last said of it. */
export async function run([program = '', ...args]: readonly string[]): Promise<Run> {
  const start = performance.now()
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  let peakMb = 0
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid))
  }, 10)
  const [code] = await once(child, 'exit')
  const seconds = (performance.now() - start) / 1000
  clearInterval(watch)
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${code}`)
  return { seconds, peakMb }
}

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/** The shortest time, and the highest peak. */
export function fastest(runs: readonly Run[]): Run {
  return {
    seconds: Math.min(...runs.map(({ seconds }) => seconds)),
    peakMb: Math.max(...runs.map(({ peakMb }) => peakMb)),
  }
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return 0
  }
}
