const encoder = new TextEncoder()
// ignoreBOM keeps a byte order mark as a character, so that the parser can reject it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Encodes text as UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** Decodes UTF-8, or returns undefined for other bytes. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return a.length === b.length
}
