const STEP_BYTES = 16 * 1024
const latin1 = new TextDecoder('latin1')

const VALUES = new Uint8Array(256).fill(255)
for (const [value, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  VALUES[letter.charCodeAt(0)] = value
}

/** Decodes base64 in pieces. Decoded bytes are the characters of a string, one per byte. */
export class Base64Decoder {
  readonly #add: (text: string) => void
  #bits = 0
  #bitCount = 0

  constructor(add: (text: string) => void) {
    this.#add = add
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      const step = bytes.subarray(at, at + STEP_BYTES)
      const padding = step.indexOf(PADDING)
      if (padding === -1) this.#pushLetters(step)
      else {
        this.#pushLetters(step.subarray(0, padding))
        this.#pushSlowly(step.subarray(padding))
      }
    }
  }

  /** Whole groups are left to the platform. */
  #pushLetters(bytes: Uint8Array): void {
    let from = 0
    while (this.#bitCount !== 0 && from < bytes.length) this.#pushSlowly(bytes.subarray(from, ++from))
    const last = lastLetter(bytes)
    if (last < from) return
    const all = decoded(bytes.subarray(from, last + 1))
    // One letter alone is no group.
    const text = all ?? decoded(bytes.subarray(from, last))
    if (text === undefined) {
      this.#pushSlowly(bytes.subarray(from))
      return
    }
    this.#add(text)
    const rest = text.length % 3
    if (all === undefined) this.#pushSlowly(bytes.subarray(last, last + 1))
    else if (rest !== 0) {
      this.#bits = VALUES[bytes[last] as number] as number
      this.#bitCount = rest === 1 ? 4 : 2
    }
  }

  /** Characters that are not base64 are skipped, as mail programs do. */
  #pushSlowly(letters: Uint8Array): void {
    let text = ''
    for (const letter of letters) {
      const value = VALUES[letter] as number
      // Content may be encoded in pieces, each with its own end.
      if (letter === PADDING) this.#bitCount = 0
      if (value === 255) continue
      this.#bits = ((this.#bits << 6) | value) & 0xffff
      this.#bitCount += 6
      if (this.#bitCount < 8) continue
      this.#bitCount -= 8
      text += String.fromCharCode((this.#bits >> this.#bitCount) & 255)
    }
    if (text !== '') this.#add(text)
  }
}

const PADDING = 0x3d

/** The index of the last letter, or -1. */
function lastLetter(bytes: Uint8Array): number {
  let at = bytes.length - 1
  while (at >= 0 && VALUES[bytes[at] as number] === 255) at--
  return at
}

/** Undefined if there are other characters than letters and blanks, or a letter too many. */
function decoded(letters: Uint8Array): string | undefined {
  try {
    return atob(latin1.decode(letters))
  } catch {
    return undefined
  }
}
