import { createHash, hash, verify } from 'node:crypto'
import { crc32, inflateRawSync } from 'node:zlib'
import type { Host } from '../src/host.ts'
import { publicKeyObject } from './public-key-object.ts'

/** SHA-256, CRC-32, inflate and Ed25519 of Node. */
export const nodeHost: Host = {
  digest: (bytes) => hash('sha256', bytes, 'buffer'),
  sha256: () => {
    const running = createHash('sha256')
    return { update: (bytes) => void running.update(bytes), digest: () => running.digest() }
  },
  crc32,
  verifyEd25519: (publicKey, message, signature) =>
    verify(null, message, publicKeyObject(publicKey), signature),
  inflate,
}

function inflate(deflated: Uint8Array, sizeBytes: number): Uint8Array | undefined {
  try {
    // `info` is not in the type declarations; `bytesWritten` is how much of the input was consumed.
    // One chunk for the whole output avoids copying.
    const options = { maxOutputLength: sizeBytes + 1, chunkSize: Math.max(64, sizeBytes + 1), info: true }
    const { buffer, engine } = inflateRawSync(deflated, options) as unknown as {
      readonly buffer: Uint8Array
      readonly engine: { readonly bytesWritten: number }
    }
    return buffer.length === sizeBytes && engine.bytesWritten === deflated.length ? buffer : undefined
  } catch {
    return undefined
  }
}
