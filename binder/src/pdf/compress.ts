import { createHash } from 'node:crypto'
import { zlibSync } from 'fflate'
import { LruCache } from '../lru-cache.ts'

const MAX_CACHED_BYTES = 128 * 1024

const cache = new LruCache<Uint8Array>(64)

/** In JavaScript, because the output of the platform's zlib may change between versions. */
export const compress = (content: Uint8Array): Uint8Array => zlibSync(content, { level: 3, mem: 3 })

/** Caches what most binders share (fonts, fixed pages). Hashing is a hundred times faster than compressing. */
export function compressCached(content: Uint8Array): Uint8Array {
  if (content.length > MAX_CACHED_BYTES) return compress(content)
  const key = createHash('sha256').update(content).digest('base64')
  const known = cache.get(key)
  if (known !== undefined) return known
  const compressed = compress(content)
  cache.set(key, compressed)
  return compressed
}
