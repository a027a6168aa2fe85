/** Space, tab and the line breaks. */
export const SPACE_BYTES = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0x20 || byte === 9 || byte === 10 || byte === 13 ? 1 : 0,
)

/** Where the character of several bytes that starts at `at` ends; 0 if it is not UTF-8, or not complete. */
export function utf8End(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  const second = bytes[at + 1] ?? 0
  if (first < 0xc2 || first > 0xf4) return 0
  if (first < 0xe0) return isRest(second) ? at + 2 : 0
  // Excludes overlong forms, surrogates and anything above U+10FFFF.
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  if (second < low || second > high || !isRest(bytes[at + 2] ?? 0)) return 0
  if (first < 0xf0) return at + 3
  return isRest(bytes[at + 3] ?? 0) ? at + 4 : 0
}

const isRest = (byte: number): boolean => (byte & 0xc0) === 0x80
