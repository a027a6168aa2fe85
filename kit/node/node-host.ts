import { createHash, createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { crc32, inflateRawSync } from 'node:zlib'
import type { Host } from '../src/host.ts'

/** Node's own SHA-256, CRC-32, inflate and Ed25519. */
export const nodeHost: Host = {
  digest: (bytes) => hash('sha256', bytes, 'buffer'),
  sha256: () => {
    const running = createHash('sha256')
    return { update: (bytes) => void running.update(bytes), digest: () => running.digest() }
  },
  crc32,
  verifyEd25519: (publicKey, message, signature) => verify(null, message, keyObject(publicKey), signature),
  inflate,
}

const MAX_KEYS = 64
const keys = new Map<string, KeyObject>()

/** Making a KeyObject costs as much as a verification, and an issuer has few keys. */
function keyObject(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString('base64url')
  const known = keys.get(x)
  if (known !== undefined) return known
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  if (keys.size >= MAX_KEYS) keys.clear()
  keys.set(x, key)
  return key
}

function inflate(deflated: Uint8Array, sizeBytes: number): Uint8Array | undefined {
  try {
    // `info` is not in the type declarations; bytesWritten is how much of the input the stream consumed.
    // One chunk that holds all of it: nothing is put together from pieces, and little is thrown away.
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
