import { readSync } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  openZip,
  parseVkey,
  scanEntries,
  type RandomAccess,
  type TrustedKeySet,
  trustKeys,
  type VerificationReport,
  verifyWithContained,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { arrivingZip } from './arriving-zip.ts'

/** The last line of the input; those before it are the numbers of bytes that have arrived. */
interface Request {
  readonly keys: TrustedKeySet
  readonly logVkey: string
  readonly sizeBytes: number
}

/** File descriptor of the kit. */
const KIT = 3
const BUFFER_BYTES = 256 * 1024

// Runs as a separate process, so that a malicious archive can only exhaust this process.
const arriving = arrivingZip((buffer, offset) => {
  if (readKit(buffer, offset) < buffer.length) throw new Error('the kit is shorter than announced')
})
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as number | Request
  if (typeof message === 'number') arriving.advance(message)
  else process.stdout.write(JSON.stringify(await verify(message)))
}

async function verify({ keys, logVkey, sizeBytes }: Request): Promise<VerificationReport> {
  const logs = [{ key: parseVkey(logVkey, nodeHost.digest) }]
  const policy = { logs, witnesses: [], quorum: undefined }
  const trust = { ...trustKeys(keys), logs: [{ issuer: keys.issuer ?? '', policy, isIssuers: true }] }
  const source = kitSource(sizeBytes)
  const kit = await openZip(source, nodeHost, {
    scan: (directory, request) => {
      const known = arriving.contentOf(directory, request.trustedCrc32)
      return scanEntries(source, directory.entries, directory.offset, { ...request, known }, nodeHost)
    },
  })
  return verifyWithContained(kit, trust, nodeHost)
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
