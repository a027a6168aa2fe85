import type { Host, Sha256 } from './host.ts'
import { crc32 } from './encoding/crc32.ts'
import { PureSha256, sha256 } from './crypto/sha256.ts'

/** The host for browsers and other runtimes with WebCrypto. Without crypto.subtle, every signature check fails. */
export const webHost: Host = {
  digest: sha256,
  sha256: () => new WebSha256(),
  crc32,
  async verifyEd25519(publicKey, message, signature) {
    const subtle = crypto.subtle
    if (subtle === undefined)
      throw new Error('WebCrypto is not available: open this page from a file, over https or on localhost')
    const key = await subtle.importKey('raw', publicKey.slice(), { name: 'Ed25519' }, false, ['verify'])
    return subtle.verify({ name: 'Ed25519' }, key, signature.slice(), message.slice())
  },
}

const ONE_SHOT_BYTES = 32 * 1024 * 1024

/** Uses WebCrypto, which is faster but needs all bytes at once, up to ONE_SHOT_BYTES, and PureSha256 beyond. */
class WebSha256 implements Sha256 {
  #held: Uint8Array[] = []
  #heldBytes = 0
  #own: PureSha256 | undefined = crypto.subtle === undefined ? new PureSha256() : undefined

  update(bytes: Uint8Array): void {
    if (this.#own === undefined && this.#heldBytes + bytes.length <= ONE_SHOT_BYTES) {
      this.#held.push(bytes.slice())
      this.#heldBytes += bytes.length
      return
    }
    if (this.#own === undefined) {
      this.#own = new PureSha256()
      for (const held of this.#held) this.#own.update(held)
      this.#held = []
    }
    this.#own.update(bytes)
  }

  async digest(): Promise<Uint8Array> {
    if (this.#own !== undefined || crypto.subtle === undefined)
      return (this.#own ?? new PureSha256()).digest()
    const all = new Uint8Array(this.#heldBytes)
    let at = 0
    for (const held of this.#held) {
      all.set(held, at)
      at += held.length
    }
    return new Uint8Array(await crypto.subtle.digest('SHA-256', all))
  }
}
