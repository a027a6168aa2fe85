import { utf8 } from '../encoding/bytes.ts'

const words = (hex: string): readonly number[] => hex.split(' ').map((word) => Number.parseInt(word, 16))

// The fractional parts of the square and cube roots of the first primes. Calculating them takes a millisecond at each start.
const INITIAL = Uint32Array.from(
  words('6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19'),
)
const ROUND = Int32Array.from(
  words(
    '428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 ' +
      'd807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174 ' +
      'e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da ' +
      '983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 ' +
      '27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 ' +
      'a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070 ' +
      '19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3 ' +
      '748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2',
  ),
)

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
