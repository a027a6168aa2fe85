import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import {
  NO_TRUST,
  type TrustedKeySet,
  unreadableKit,
  type VerificationReport,
  verifyKit,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'

/** An untrusted kit in an open file, and the trusted keys. */
export interface KitToVerify {
  readonly file: number
  readonly sizeBytes: number
  readonly keys: TrustedKeySet
  /** The key of the service's own log. */
  readonly logVkey: string
}

export interface ProcessLimits {
  readonly memoryMegabytes: number
  readonly milliseconds: number
}

/** Enough for 10,000 files and 1 GiB. */
const LIMITS: ProcessLimits = { memoryMegabytes: 512, milliseconds: 120_000 }

const SCRIPT = fileURLToPath(new URL('./verify-kit-process.ts', import.meta.url))

/** Verifies a kit in a separate process. A kit that crashes the process is FAIL. */
export async function verifyUploadedKit(
  { file, ...kit }: KitToVerify,
  limits: ProcessLimits = LIMITS,
): Promise<VerificationReport> {
  const child = startProcess(file, limits)
  // A process that died before reading its input is reported by its exit code.
  child.stdin.on('error', () => {})
  const timer = setTimeout(() => child.kill('SIGKILL'), limits.milliseconds)
  const finished = Promise.all([text(child.stdout), once(child, 'close')])
  child.stdin.end(JSON.stringify(kit))
  const [json, [exitCode]] = await finished.finally(() => clearTimeout(timer))
  if (exitCode === 0) return JSON.parse(json) as VerificationReport
  return notVerified(child.killed ? 'verification takes too long' : 'verification needs too much memory')
}

/** The process inherits the kit as descriptor 3, nothing else, and of the environment only where compiled code is cached. */
function startProcess(file: number, limits: ProcessLimits): ChildProcessByStdio<Writable, Readable, null> {
  const args = [`--max-old-space-size=${limits.memoryMegabytes}`, SCRIPT]
  const cache = getCompileCacheDir()
  const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore', file], env })
  return child as ChildProcess as ChildProcessByStdio<Writable, Readable, null>
}

function notVerified(why: string): Promise<VerificationReport> {
  return verifyKit(unreadableKit(`${why}; use the command line instead`), NO_TRUST, nodeHost)
}
