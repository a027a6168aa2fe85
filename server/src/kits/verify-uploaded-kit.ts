import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { NO_TRUST, type TrustedKeySet, unreadableKit, type VerificationReport, verifyKit } from '@kitseal/kit'
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

/** A process that waits for its kit. */
export interface Verifier extends Disposable {
  /** The first bytes of the kit are in the file, and may be hashed. */
  received(bytes: number): void
  /** Verifies what the file contains now. A kit that crashes the process is FAIL. */
  verify(kit: Omit<KitToVerify, 'file'>): Promise<VerificationReport>
}

/** Verifies a kit in a separate process. */
export async function verifyUploadedKit(
  { file, ...kit }: KitToVerify,
  limits: ProcessLimits = LIMITS,
): Promise<VerificationReport> {
  using verifier = startVerifier(file, limits)
  return await verifier.verify(kit)
}

/** Starts the process, which hashes the kit while it is being received. */
export function startVerifier(file: number, limits: ProcessLimits = LIMITS): Verifier {
  const child = startProcess(file, limits)
  const closed = once(child, 'close')
  // A process that could not be started, or died before reading its input, is reported by its exit code.
  closed.catch(() => {})
  child.stdin.on('error', () => {})
  const output = text(child.stdout)
  return {
    received: (bytes) => void child.stdin.write(`${bytes}\n`),
    verify: async (kit) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), limits.milliseconds)
      child.stdin.end(JSON.stringify(kit))
      const [json, [exitCode]] = await Promise.all([output, closed]).finally(() => clearTimeout(timer))
      if (exitCode === 0) return JSON.parse(json) as VerificationReport
      return notVerified(child.killed ? 'verification takes too long' : 'verification needs too much memory')
    },
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  }
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
