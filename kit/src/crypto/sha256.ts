import { utf8 } from '../encoding/bytes.ts'

// The fractional parts of the square and cube roots of the first primes.
const PRIMES = firstPrimes(64)
const INITIAL = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))

/** Incremental SHA-256 (FIPS 180-4), for browsers: WebCrypto cannot hash a file piece by piece. */
export class PureSha256 {
  readonly #state = INITIAL.slice()
  readonly #block = new Uint8Array(64)
  readonly #view = new DataView(this.#block.buffer)
  readonly #words = new Int32Array(64)
  #filled = 0
  #length = 0

  update(bytes: Uint8Array): void {
    this.#length += bytes.length
    let at = 0
    if (this.#filled > 0) {
      at = Math.min(64 - this.#filled, bytes.length)
      this.#block.set(bytes.subarray(0, at), this.#filled)
      this.#filled += at
      if (this.#filled < 64) return
      this.#compress(this.#view, 0)
      this.#filled = 0
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (; at + 64 <= bytes.length; at += 64) this.#compress(view, at)
    this.#block.set(bytes.subarray(at))
    this.#filled = bytes.length - at
  }

  digest(): Uint8Array<ArrayBuffer> {
    const lengthBytes = this.#length
    this.#block[this.#filled++] = 0x80
    this.#block.fill(0, this.#filled)
    if (this.#filled > 56) {
      this.#compress(this.#view, 0)
      this.#block.fill(0)
    }
    this.#view.setUint32(56, Math.floor(lengthBytes / 0x20000000))
    this.#view.setUint32(60, (lengthBytes << 3) >>> 0)
    this.#compress(this.#view, 0)
    const digest = new Uint8Array(32)
    const view = new DataView(digest.buffer)
    this.#state.forEach((word, at) => view.setUint32(at * 4, word))
    return digest
  }

  #compress(view: DataView, offset: number): void {
    const w = this.#words
    const k = ROUND
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(offset + t * 4)
    for (let t = 16; t < 64; t++) {
      const x = w[t - 15]!
      const y = w[t - 2]!
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
      w[t] = (w[t - 16]! + s0 + w[t - 7]! + s1) | 0
    }
    const state = this.#state
    let a = state[0]! | 0
    let b = state[1]! | 0
    let c = state[2]! | 0
    let d = state[3]! | 0
    let e = state[4]! | 0
    let f = state[5]! | 0
    let g = state[6]! | 0
    let h = state[7]! | 0
    for (let t = 0; t < 64; t++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + k[t]! + w[t]!) | 0
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + t1) | 0
      d = c
      c = b
      b = a
      a = (t1 + t2) | 0
    }
    state[0]! += a
    state[1]! += b
    state[2]! += c
    state[3]! += d
    state[4]! += e
    state[5]! += f
    state[6]! += g
    state[7]! += h
  }
}

/** Text is hashed as UTF-8. */
export function sha256(data: Uint8Array | string): Uint8Array<ArrayBuffer> {
  const hash = new PureSha256()
  hash.update(typeof data === 'string' ? utf8(data) : data)
  return hash.digest()
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  return primes
}

/** The first 32 fractional bits. A double is precise enough. */
function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32)
}
