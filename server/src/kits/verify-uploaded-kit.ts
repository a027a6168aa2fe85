import { readSync } from 'node:fs'
import {
  NO_TRUST,
  openZip,
  parseVkey,
  type RandomAccess,
  type TrustedKeySet,
  trustKeys,
  unreadableKit,
  type VerificationReport,
  verifyKit,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { CrashCause } from '../runtime/worker-pool.ts'

/** An untrusted kit in an open file, and the trusted keys. */
export interface KitToVerify {
  /** A descriptor, which all threads share. */
  readonly file: number
  readonly sizeBytes: number
  readonly keys: TrustedKeySet
  /** The key of the service's own log. */
  readonly logVkey: string
}

/** In a worker, because a malicious archive may exhaust it. */
export async function verifyUploadedKit(kit: KitToVerify): Promise<VerificationReport> {
  const { keys, logVkey } = kit
  const policy = { logs: [{ key: parseVkey(logVkey, nodeHost.digest) }], witnesses: [], quorum: undefined }
  const trust = { ...trustKeys(keys), logs: [{ issuer: keys.issuer ?? '', policy, isIssuers: true }] }
  return verifyKit(await openZip(kitSource(kit), nodeHost), trust, nodeHost)
}

const PROBLEMS: Readonly<Record<CrashCause, string>> = {
  timeout: 'verification takes too long',
  memory: 'verification needs too much memory',
  error: 'verification needs too much memory',
}

/** The result for a kit that crashed its worker. */
export function unverifiable(cause: CrashCause): Promise<VerificationReport> {
  return verifyKit(unreadableKit(`${PROBLEMS[cause]}; use the command line instead`), NO_TRUST, nodeHost)
}

const BUFFER_BYTES = 256 * 1024

function kitSource({ file, sizeBytes }: KitToVerify): RandomAccess {
  const shared = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  return {
    sizeBytes,
    read(offset, length) {
      const wanted = Math.max(0, Math.min(length, sizeBytes - offset))
      const into = wanted <= BUFFER_BYTES ? shared.subarray(0, wanted) : Buffer.allocUnsafeSlow(wanted)
      // Not a Buffer, whose slice() would share the bytes that the next read overwrites.
      return new Uint8Array(into.buffer, into.byteOffset, fill(into, file, offset))
    },
  }
}

/** Returns how many bytes were read: fewer than the buffer has only at the end of the kit. */
function fill(into: Buffer, file: number, offset: number): number {
  let filled = 0
  while (filled < into.length) {
    const got = readSync(file, into, filled, into.length - filled, offset + filled)
    if (got === 0) break
    filled += got
  }
  return filled
}
