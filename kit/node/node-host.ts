import { constants, createHash, createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { brokenData } from '../src/encoding/zip-fields.ts'
import { ZipProblem } from '../src/encoding/zip-format.ts'
import type { Host, SignatureAlgorithm } from '../src/host.ts'

/** Hashes, CRC-32, inflate and signatures of Node. */
export const nodeHost: Host = {
  digest,
  sha256: () => {
    const running = createHash('sha256')
    return { update: (bytes) => void running.update(bytes), digest: () => running.digest() }
  },
  crc32,
  verifyEd25519: (publicKey, message, signature) => verify(null, message, ed25519Key(publicKey), signature),
  hash: (algorithm, bytes) => hash(algorithm.replace('-', '').toLowerCase(), bytes, 'buffer'),
  verifySignature,
  inflate,
  inflateStream: zlibInflate,
}

/** Through a string, because a buffer from native code takes longer than hashing something small. */
function digest(data: Uint8Array | string): Uint8Array {
  const letters = hash('sha256', data, 'binary')
  const bytes = new Uint8Array(32)
  for (let at = 0; at < 32; at++) bytes[at] = letters.charCodeAt(at)
  return bytes
}

function ed25519Key(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

function verifySignature(
  algorithm: SignatureAlgorithm,
  spki: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  const options = {
    'RSASSA-PKCS1-v1_5': { padding: constants.RSA_PKCS1_PADDING },
    'RSA-PSS': {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: algorithm.name === 'RSA-PSS' ? algorithm.saltLength : 0,
    },
    ECDSA: { dsaEncoding: 'ieee-p1363' },
  } as const
  return verify(
    algorithm.hash.replace('-', '').toLowerCase(),
    message,
    { key, ...options[algorithm.name] },
    signature,
  )
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

const CHUNK_BYTES = 256 * 1024

/** Inflates as a stream. Throws as soon as there is more output than declared, and for truncated or trailing data. */
async function* zlibInflate(
  deflated: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  let compressedBytes = 0
  async function* copies(): AsyncGenerator<Uint8Array> {
    for await (const bytes of deflated) {
      compressedBytes += bytes.length
      // A copy, because the source may reuse its buffer.
      yield bytes.slice()
    }
  }
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES })
  const source = Readable.from(copies(), { objectMode: false, highWaterMark: CHUNK_BYTES })
  const feeding = pipeline(source, inflater)
  feeding.catch(() => undefined)
  let inflated = 0
  try {
    for await (const bytes of inflater as AsyncIterable<Uint8Array>) {
      inflated += bytes.length
      if (inflated > sizeBytes) throw brokenData()
      yield bytes
    }
    await feeding
  } catch (error) {
    throw error instanceof ZipProblem ? error : asZipProblem(error)
  } finally {
    inflater.destroy()
  }
  if (inflated !== sizeBytes || inflater.bytesWritten !== compressedBytes) throw brokenData()
}

/** Only zlib errors mean damaged data; errors of the source are passed on. */
function asZipProblem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('Z_') ? brokenData() : error
}
