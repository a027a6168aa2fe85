import { createHash } from 'node:crypto'
import type { RandomAccess } from '@kitseal/kit'
import { freeBuffer } from '../objects/buffers.ts'
import { type KitZip, kitZipAccess } from './kit-zip.ts'

/** Random access to kit.zip that hashes the archive while it is read. */
export interface HashedAccess {
  readonly access: RandomAccess
  /** SHA-256 of the whole archive, in hex. Reads what was not read in order. */
  digest(): Promise<string>
}

/** Verification reads an archive from the first to the last entry, so hashing it needs hardly another read. */
export function hashInPassing(zip: KitZip): HashedAccess {
  const hash = createHash('sha256')
  let hashedBytes = 0
  const take = (offset: number, bytes: Uint8Array): Uint8Array => {
    const known = hashedBytes - offset
    if (known < 0 || known >= bytes.length) return bytes
    hash.update(bytes.subarray(known))
    hashedBytes = offset + bytes.length
    return bytes
  }
  const whole = kitZipAccess(zip)
  return {
    access: {
      ...whole,
      read: (offset, length) => {
        const read = whole.read(offset, length)
        return read instanceof Uint8Array ? take(offset, read) : read.then((bytes) => take(offset, bytes))
      },
    },
    digest: async () => {
      for await (const bytes of zip.read(hashedBytes, zip.sizeBytes)) {
        hash.update(bytes)
        freeBuffer(bytes)
      }
      return hash.digest('hex')
    },
  }
}
