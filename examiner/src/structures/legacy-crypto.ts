// MD5 and RC4, only to tell whether a PDF opens without a password. Browsers have neither, and nothing is protected by them here.

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const CONSTANTS = Uint32Array.from({ length: 64 }, (_, index) => Math.abs(Math.sin(index + 1)) * 2 ** 32)

/** RFC 1321. */
export function md5(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((message.length + 8) >> 6) * 64 + 64)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, message.length * 8, true)
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  for (let block = 0; block < padded.length; block += 64) {
    let [a = 0, b = 0, c = 0, d = 0] = state
    for (let step = 0; step < 64; step++) {
      const round = step >> 4
      const [mixed = 0, word = 0] = [
        [(b & c) | (~b & d), step],
        [(d & b) | (~d & c), 5 * step + 1],
        [b ^ c ^ d, 3 * step + 5],
        [c ^ (b | ~d), 7 * step],
      ][round] as readonly number[]
      const sum = a + mixed + (CONSTANTS[step] ?? 0) + view.getUint32(block + (word % 16) * 4, true)
      const shift = SHIFTS[round * 4 + (step % 4)] ?? 0
      ;[a, d, c, b] = [d, c, b, (b + ((sum << shift) | ((sum >>> 0) >>> (32 - shift)))) | 0]
    }
    state[0] = (state[0] ?? 0) + a
    state[1] = (state[1] ?? 0) + b
    state[2] = (state[2] ?? 0) + c
    state[3] = (state[3] ?? 0) + d
  }
  return new Uint8Array(state.buffer)
}

export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const box = Uint8Array.from({ length: 256 }, (_, index) => index)
  let j = 0
  const swap = (i: number): void => {
    const kept = box[i] ?? 0
    box[i] = box[j] ?? 0
    box[j] = kept
  }
  for (let i = 0; i < 256; i++) {
    j = (j + (box[i] ?? 0) + (key[i % key.length] ?? 0)) & 255
    swap(i)
  }
  j = 0
  return data.map((byte, index) => {
    const i = (index + 1) & 255
    j = (j + (box[i] ?? 0)) & 255
    swap(i)
    return byte ^ (box[((box[i] ?? 0) + (box[j] ?? 0)) & 255] ?? 0)
  })
}
