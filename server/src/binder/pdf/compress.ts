import { createHash } from 'node:crypto'
import { zlibSync } from 'fflate'

const REMEMBERED = 64
const LARGEST_REMEMBERED_BYTES = 128 * 1024

const remembered = new Map<string, Uint8Array>()

/** In JavaScript, not by the platform's zlib, which promises no fixed output. */
export const compress = (content: Uint8Array): Uint8Array => zlibSync(content, { level: 3, mem: 3 })

/** For what is the same in most binders (fonts, pages of fixed text): hashing it costs a hundredth of compressing it. */
export function compressRemembered(content: Uint8Array): Uint8Array {
  if (content.length > LARGEST_REMEMBERED_BYTES) return compress(content)
  const key = createHash('sha256').update(content).digest('base64')
  const packed = remembered.get(key) ?? compress(content)
  // The one that was asked for last goes to the end; what nobody asked for longest stands first, and is forgotten.
  remembered.delete(key)
  remembered.set(key, packed)
  const [oldest] = remembered.keys()
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  return packed
}
