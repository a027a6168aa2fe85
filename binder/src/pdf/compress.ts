import { createHash } from 'node:crypto'
import { zlibSync } from 'fflate'
import { RecentlyUsed } from '../recently-used.ts'

const LARGEST_REMEMBERED_BYTES = 128 * 1024

const remembered = new RecentlyUsed<Uint8Array>(64)

/** In JavaScript, not by the platform's zlib, which promises no fixed output. */
const compress = (content: Uint8Array): Uint8Array => zlibSync(content, { level: 3, mem: 3 })

/** For what is the same in most binders (fonts, pages of fixed text): hashing it costs a hundredth of compressing it. */
export function compressRemembered(content: Uint8Array): Uint8Array {
  if (content.length > LARGEST_REMEMBERED_BYTES) return compress(content)
  const key = createHash('sha256').update(content).digest('base64')
  const known = remembered.get(key)
  if (known !== undefined) return known
  const packed = compress(content)
  remembered.set(key, packed)
  return packed
}
