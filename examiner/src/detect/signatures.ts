import { utf8MarkBytes } from './text-encoding.ts'

/** Matches content with one of these signatures in hex, at its start or at `OFFSET:`. */
export function signature(...signatures: readonly string[]): (head: Uint8Array) => boolean {
  const marks = signatures.map((text) => {
    const [hex = '', offset = '0'] = text.split(':').toReversed()
    return {
      at: Number(offset),
      bytes: Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number(`0x${byte}`)),
    }
  })
  return (head) => {
    for (const { at, bytes } of marks) if (hasBytes(head, at, bytes)) return true
    return false
  }
}

/** A loop, because most signatures differ in the first byte and a callback takes longer than comparing it. */
function hasBytes(head: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index += 1) if (head[at + index] !== bytes[index]) return false
  return true
}

const isPlainZip = signature('504b0304', '504b0506')

export function isZip(head: Uint8Array): boolean {
  return isPlainZip(head) || isSplitZip(head)
}

/** A split ZIP has a marker before its first entry, even if it has only one part. */
export const isSplitZip = signature('504b0708504b0304', '504b3030504b0304')

export function isPdf(head: Uint8Array): boolean {
  return pdfHeaderAt(head) !== undefined
}

/** The offset of `%PDF-`. Some producers write a byte order mark or white space before it. */
export function pdfHeaderAt(head: Uint8Array): number | undefined {
  let at = utf8MarkBytes(head)
  while (at < 64 && [0x20, 0x09, 0x0a, 0x0d].includes(head[at] ?? 0)) at++
  return startsWithPdf(head.subarray(at)) ? at : undefined
}

const startsWithPdf = signature('255044462d')
