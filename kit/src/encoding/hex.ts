const BYTES = Array.from({ length: 256 }, (_, byte) => (byte + 256).toString(16).slice(1))

/**
 * Encodes bytes as lower-case hex.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { hex } from '@kitseal/kit'
 *
 * assert.equal(hex(new Uint8Array([0, 255])), '00ff')
 * ```
 */
export function hex(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at++) text += BYTES[bytes[at]!]
  return text
}

/** The bytes, or undefined where the text is not lower-case hex. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/.test(text)) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(text.slice(at * 2, at * 2 + 2), 16)
  return bytes
}
