import { readSync } from 'node:fs'
import { json } from 'node:stream/consumers'
import {
  openZip,
  parseVkey,
  type RandomAccess,
  type TrustedKeySet,
  trustKeys,
  type VerificationReport,
  verifyKit,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'

/** The input, as JSON. */
interface Request {
  readonly keys: TrustedKeySet
  readonly logVkey: string
  readonly sizeBytes: number
}

/** File descriptor of the kit. */
const KIT = 3
const BUFFER_BYTES = 256 * 1024

// Runs as a separate process, so that a malicious archive can only exhaust this process.
process.stdout.write(JSON.stringify(await verify((await json(process.stdin)) as Request)))

async function verify({ keys, logVkey, sizeBytes }: Request): Promise<VerificationReport> {
  const logs = [{ key: parseVkey(logVkey, nodeHost.digest) }]
  const policy = { logs, witnesses: [], quorum: undefined }
  const trust = { ...trustKeys(keys), logs: [{ issuer: keys.issuer ?? '', policy, isIssuers: true }] }
  return verifyKit(await openZip(kitSource(sizeBytes), nodeHost), trust, nodeHost)
}

function kitSource(sizeBytes: number): RandomAccess {
  const shared = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  return {
    sizeBytes,
    read(offset, length) {
      const wanted = Math.max(0, Math.min(length, sizeBytes - offset))
      const into = wanted <= BUFFER_BYTES ? shared.subarray(0, wanted) : Buffer.allocUnsafeSlow(wanted)
      // Not a Buffer, whose slice() would share the bytes that the next read overwrites.
      return new Uint8Array(into.buffer, into.byteOffset, readKit(into, offset))
    },
  }
}

/** Returns how many bytes were read: fewer than the buffer has only at the end of the kit. */
function readKit(into: Uint8Array, offset: number): number {
  let filled = 0
  while (filled < into.length) {
    const got = readSync(KIT, into, filled, into.length - filled, offset + filled)
    if (got === 0) break
    filled += got
  }
  return filled
}
