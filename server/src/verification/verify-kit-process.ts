import { readSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import {
  openZip,
  parseVkey,
  type RandomAccess,
  type TrustedKeySet,
  trustKeys,
  verifyWithContained,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'

/** File descriptor of the kit. */
const KIT = 3

// Runs as a separate process, so that a malicious archive can only exhaust this process.
const { keys, logVkey, sizeBytes } = JSON.parse(await text(process.stdin)) as {
  readonly keys: TrustedKeySet
  readonly logVkey: string
  readonly sizeBytes: number
}
const logs = [{ key: parseVkey(logVkey, nodeHost.digest) }]
const own = { issuer: keys.issuer ?? '', policy: { logs, witnesses: [], quorum: undefined }, isIssuers: true }
const trust = { ...trustKeys(keys), logs: [own] }
const report = await verifyWithContained(await openZip(access(sizeBytes), nodeHost), trust, nodeHost)
process.stdout.write(JSON.stringify(report))

function access(size: number): RandomAccess {
  return {
    sizeBytes: size,
    read(offset, length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, size - offset)))
      let filled = 0
      while (filled < bytes.length) {
        const got = readSync(KIT, bytes, filled, bytes.length - filled, offset + filled)
        if (got === 0) break
        filled += got
      }
      return bytes.subarray(0, filled)
    },
  }
}
