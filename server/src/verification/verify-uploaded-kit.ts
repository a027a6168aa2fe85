import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { NO_TRUST, unreadableKit, type VerificationReport, verifyKit } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'

/** A kit from anybody, in an open file, and the key set that is trusted, as it is served. */
export interface KitToVerify {
  readonly file: number
  readonly sizeBytes: number
  readonly jwks: string
}

export interface ProcessLimits {
  readonly memoryMegabytes: number
  readonly milliseconds: number
}

/** Enough for ten thousand files and a gibibyte; less than what would hurt the service. */
const LIMITS: ProcessLimits = { memoryMegabytes: 512, milliseconds: 120_000 }

const SCRIPT = fileURLToPath(new URL('./verify-kit-process.ts', import.meta.url))

/** Verifies a kit in a process of its own. A kit that brings the process down is FAIL: any doubt is. */
export async function verifyUploadedKit(
  { file, sizeBytes, jwks }: KitToVerify,
  limits: ProcessLimits = LIMITS,
): Promise<VerificationReport> {
  const child = startProcess(file, limits)
  // A process that died before it read its order says so by how it ended.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ jwks, sizeBytes }))
  const [said, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (exitCode === 0) return JSON.parse(said) as VerificationReport
  return notVerified(child.killed ? 'it takes too long to check' : 'it takes too much memory to check')
}

/** The kit is descriptor 3; it inherits nothing else, and no environment. */
function startProcess(file: number, limits: ProcessLimits): ChildProcessByStdio<Writable, Readable, null> {
  const args = [`--max-old-space-size=${limits.memoryMegabytes}`, SCRIPT]
  const ends = { timeout: limits.milliseconds, killSignal: 'SIGKILL' } as const
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore', file], env: {}, ...ends })
  return child as ChildProcess as ChildProcessByStdio<Writable, Readable, null>
}

/** The engine's own words for a kit of which nothing could be read. */
function notVerified(why: string): Promise<VerificationReport> {
  return verifyKit(unreadableKit(`${why} here; check it with the command line`), NO_TRUST, nodeHost)
}
