import { readSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { openZip, type RandomAccess, type TrustedKeySet, trustKeys, verifyKit } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'

/** File descriptor of the kit. */
const KIT = 3

// Runs as a separate process, so that a malicious archive can only exhaust this process.
const { keys, sizeBytes } = JSON.parse(await text(process.stdin)) as {
  readonly keys: TrustedKeySet
  readonly sizeBytes: number
}
const report = await verifyKit(await openZip(access(sizeBytes), nodeHost), trustKeys(keys), nodeHost)
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
