import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { describeError, InputError } from './input-error.ts'
import type { Output } from './terminal.ts'

export interface Collector {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** What it prints goes there, and to a file. */
  readonly stdout: Output
  readonly stderr: Output
  /** Receives stdout.txt and stderr.txt. */
  readonly folder: string
  readonly signal: AbortSignal
}

export interface Collected {
  /** 128 and the number of the signal, if one ended it. */
  readonly exitCode: number
  readonly endedBy: string | null
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly stdoutBytes: number
  readonly stderrBytes: number
}

/** Runs a command, passes its output on and keeps a copy. */
export async function runCollector({ command, env, signal, ...to }: Collector): Promise<Collected> {
  const [program = '', ...args] = command
  const startedAt = new Date()
  const child = spawn(program, args, { env: childEnv(env), stdio: ['inherit', 'pipe', 'pipe'] })
  const stop = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  const ended = new Promise<Pick<Collected, 'exitCode' | 'endedBy'>>((resolve, reject) => {
    child.on('error', (error) => reject(new InputError(`cannot run ${program}: ${describeError(error)}`)))
    child.on('close', (code, name) =>
      resolve({ exitCode: code ?? 128 + (name === null ? 0 : constants.signals[name]), endedBy: name }),
    )
  })
  try {
    const [result, stdoutBytes, stderrBytes] = await Promise.all([
      ended,
      passOn(child.stdout, to.stdout, join(to.folder, 'stdout.txt')),
      passOn(child.stderr, to.stderr, join(to.folder, 'stderr.txt')),
    ])
    signal.throwIfAborted()
    return { ...result, startedAt, finishedAt: new Date(), stdoutBytes, stderrBytes }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A collector has no use for the key of the service. */
const childEnv = (env: Collector['env']) => ({ ...env, KITSEAL_API_KEY: undefined })

async function passOn(from: AsyncIterable<Buffer>, to: Output, path: string): Promise<number> {
  const file = openSync(path, 'wx', 0o600)
  let sizeBytes = 0
  try {
    for await (const bytes of from) {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      to.write(bytes)
      sizeBytes += bytes.length
    }
  } finally {
    closeSync(file)
  }
  return sizeBytes
}

const VERSION_TIMEOUT_MS = 30_000
const MAX_VERSION = 200

/** The first line that the program prints for --version. */
export function askVersion(program: string, env: Collector['env']): string | undefined {
  const { stdout, stderr, error } = spawnSync(program, ['--version'], {
    env: childEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: VERSION_TIMEOUT_MS,
    encoding: 'utf8',
  })
  if (error !== undefined) return undefined
  const line = `${stdout}\n${stderr}`.split(/\r?\n/).find((one) => one.trim() !== '')
  return line?.trim().slice(0, MAX_VERSION)
}
