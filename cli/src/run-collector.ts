import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync, lstatSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join, basename, resolve } from 'node:path'
import { describeError, InputError } from './input-error.ts'
import type { Output } from './terminal.ts'
import { listFolder } from '@kitseal/kit/internal/node'

interface Collector {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** What it prints goes there, and to a file. */
  readonly stdout: Output
  readonly stderr: Output
  /** Receives stdout.txt and stderr.txt. */
  readonly folder: string
  readonly signal: AbortSignal
}

export type Collected = Awaited<ReturnType<typeof runCollector>>

/** Runs a command, passes its output on and keeps a copy. */
export async function runCollector({ command, env, signal, ...to }: Collector) {
  const [program = '', ...args] = command
  const startedAt = new Date()
  const child = spawn(program, args, { env: childEnv(env), stdio: ['inherit', 'pipe', 'pipe'] })
  const stop = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  // The exit code is 128 and the number of the signal, if one ended it.
  const ended = new Promise<{ exitCode: number; endedBy: string | null }>((end, reject) => {
    child.on('error', (error) => reject(new InputError(`cannot run ${program}: ${describeError(error)}`)))
    child.on('close', (code, name) =>
      end({ exitCode: code ?? 128 + (name === null ? 0 : constants.signals[name]), endedBy: name }),
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

interface FoundFile {
  /** Below the folder of outputs. */
  readonly path: string
  readonly diskPath: string
}

/** The files of outputs, and what changes when one of them is written. */
type Snapshot = ReadonlyMap<string, { readonly path: string; readonly version: string }>

/** Notes which files exist at these paths. What is called later returns those that are new or have changed. */
export function watchOutputs(outputs: readonly string[]): () => readonly FoundFile[] {
  const names = outputs.map((output) => basename(resolve(output)))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new InputError(`two outputs are named ${twice}`)
  const before = snapshot(outputs, () => undefined)
  return () => {
    const problems: string[] = []
    const after = snapshot(outputs, (problem) => void problems.push(problem))
    if (problems.length > 0) throw new InputError(...problems)
    return [...after].flatMap(([diskPath, { path, version }]) =>
      before.get(diskPath)?.version === version ? [] : [{ path, diskPath }],
    )
  }
}

function snapshot(outputs: readonly string[], onProblem: (problem: string) => void): Snapshot {
  const found = new Map<string, { path: string; version: string }>()
  const add = (path: string, diskPath: string): void => {
    const { mtimeNs, ctimeNs, size, ino } = lstatSync(diskPath, { bigint: true })
    found.set(diskPath, { path, version: [mtimeNs, ctimeNs, size, ino].join(' ') })
  }
  for (const output of outputs) {
    const name = basename(resolve(output))
    const kind = statSync(output, { throwIfNoEntry: false })
    if (kind?.isFile() === true) add(name, output)
    if (kind?.isDirectory() !== true) continue
    const { files, others } = listFolder(output)
    for (const { path, diskPath } of files) add(`${name}/${path}`, diskPath)
    for (const { path, problem } of others) onProblem(`cannot seal ${output}: ${path} ${problem.text}`)
  }
  return found
}

/** Options whose value is a secret, by the end of their name: `--password`, `--api-key`, `--github-token`. */
const SECRET_OPTION =
  /^--?(?:[\w.-]*[-_.])?(?:password|passwd|passphrase|secret|token|api-?key|secret-?key|access-?key)$/i
/** What an option names instead: another option, a file, a variable, standard input. */
const REFERENCE = /^(?:-|\.{0,2}\/|~|@|\$|(?:env|file|fd|pass|stdin|vault|arn):|true$|false$)/i
const IN_URL = /^[a-z][a-z\d+.-]*:\/\/[^\s/:@]*:[^\s/@]{4,}@/i

/** Where a command line seems to contain a secret that no pattern of the evidence rules finds. Never the value itself. */
export function secretArguments(line: readonly string[]): readonly string[] {
  return line.flatMap((argument, at) => {
    const [name = '', given] = argument.split(/=(.*)/s)
    const value = given ?? line[at + 1] ?? ''
    if (SECRET_OPTION.test(name) && value.length >= 4 && !REFERENCE.test(value)) return [`value of ${name}`]
    return IN_URL.test(given ?? argument) ? [`password in the URL of argument ${at}`] : []
  })
}
