import type { Host, Sha256 } from './host.ts'
import { copyBytes } from './copy-input.ts'
import { crc32 } from './encoding/crc32.ts'
import { inflateStream } from './encoding/inflate-stream.ts'
import { PureSha256, sha256 } from './crypto/sha256.ts'
import type { SignatureAlgorithm } from './time/signature-algorithm.ts'

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
    if (this.#pure !== undefined || crypto.subtle === undefined)
      return (this.#pure ?? new PureSha256()).digest()
    const all = new Uint8Array(this.#bufferedBytes)
    let at = 0
    for (const bytes of this.#buffered) {
      all.set(bytes, at)
      at += bytes.length
    }
    return new Uint8Array(await crypto.subtle.digest('SHA-256', all))
  }
}
