import { PureSha256, sha256 } from './crypto/sha256.ts'
import { copyBytes, joined } from './encoding/bytes.ts'
import { brokenData } from './encoding/zip-fields.ts'
import type { Host, Sha256, SignatureAlgorithm } from './host.ts'

/** The host for browsers and other runtimes with WebCrypto. Without crypto.subtle, every signature check fails. */
export const webHost: Host = {
  digest: sha256,
  sha256: () => new WebSha256(),
  crc32,
  async hash(algorithm, bytes) {
    if (algorithm === 'SHA-256') return sha256(bytes)
    return new Uint8Array(await webCrypto().digest(algorithm, copyBytes(bytes)))
  },
  verifySignature(algorithm, spki, message, signature) {
    const { name, hash } = algorithm
    const keyAlgorithm = name === 'ECDSA' ? { name, namedCurve: algorithm.curve } : { name, hash }
    return verify('spki', spki, keyAlgorithm, algorithm, message, signature)
  },
  verifyEd25519: (publicKey, message, signature) =>
    verify('raw', publicKey, ED25519, ED25519, message, signature),
  inflateStream,
}

const ED25519 = { name: 'Ed25519' } as const

interface Algorithm {
  readonly name: 'Ed25519' | SignatureAlgorithm['name']
  readonly hash?: string
  readonly namedCurve?: string
  readonly saltLength?: number
}

async function verify(
  format: 'raw' | 'spki',
  key: Uint8Array,
  keyAlgorithm: Algorithm,
  algorithm: Algorithm,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const [signed, signedBy] = [copyBytes(message), copyBytes(signature)]
  const subtle = webCrypto()
  const imported = await subtle.importKey(format, copyBytes(key), keyAlgorithm, false, ['verify'])
  return subtle.verify(algorithm, imported, signedBy, signed)
}

function webCrypto(): NonNullable<typeof crypto.subtle> {
  if (crypto.subtle !== undefined) return crypto.subtle
  throw new Error('WebCrypto is not available: open this page from a file, over https or on localhost')
}

const ONE_SHOT_BYTES = 32 * 1024 * 1024

/** Uses WebCrypto, which is faster but needs all bytes at once, up to ONE_SHOT_BYTES, and PureSha256 beyond. */
class WebSha256 implements Sha256 {
  #buffered: Uint8Array[] = []
  #bufferedBytes = 0
  #pure: PureSha256 | undefined = crypto.subtle === undefined ? new PureSha256() : undefined

  update(bytes: Uint8Array): void {
    if (this.#pure === undefined && this.#bufferedBytes + bytes.length <= ONE_SHOT_BYTES) {
      this.#buffered.push(copyBytes(bytes))
      this.#bufferedBytes += bytes.length
      return
    }
    if (this.#pure === undefined) {
      this.#pure = new PureSha256()
      for (const chunk of this.#buffered) this.#pure.update(chunk)
      this.#buffered = []
    }
    this.#pure.update(bytes)
  }

  async digest(): Promise<Uint8Array> {
    if (this.#pure !== undefined) return this.#pure.digest()
    return new Uint8Array(await webCrypto().digest('SHA-256', joined(this.#buffered)))
  }
}

/** `Host.inflateStream` of browsers. */
export async function* inflateStream(
  deflated: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  const feeding = feed(deflated, writer)
  feeding.catch(ignore)
  const read = (): ReturnType<typeof reader.read> =>
    reader.read().catch(async () => {
      // Prefers the error of the source to that of the stream it broke.
      await feeding
      throw brokenData()
    })
  let inflated = 0
  try {
    for (let next = await read(); !next.done; next = await read()) {
      inflated += next.value.length
      if (inflated > sizeBytes) throw brokenData()
      yield next.value
    }
    await feeding
  } finally {
    reader.cancel().catch(ignore)
    writer.abort().catch(ignore)
    await feeding.catch(ignore)
  }
  if (inflated !== sizeBytes) throw brokenData()
}

type Writer = ReturnType<DecompressionStream['writable']['getWriter']>

async function feed(deflated: AsyncIterable<Uint8Array>, writer: Writer): Promise<void> {
  try {
    // A copy, because the source may reuse its buffer.
    for await (const bytes of deflated) await writer.write(bytes.slice()).catch(corrupt)
    await writer.close().catch(corrupt)
  } catch (error) {
    // Otherwise the reader would wait forever.
    writer.abort(error).catch(ignore)
    throw error
  }
}

function corrupt(): never {
  throw brokenData()
}

function ignore(): void {}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** CRC-32 (ISO 3309), for browsers. `seed` is the CRC-32 of the preceding bytes. */
export function crc32(bytes: Uint8Array, seed = 0): number {
  let crc = ~seed
  for (let at = 0; at < bytes.length; at++) crc = TABLE[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8)
  return ~crc >>> 0
}
