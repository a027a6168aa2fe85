import { createHash, type Hash } from 'node:crypto'
import type { RandomAccess } from '@kitseal/kit'
import { type KitZip, kitZipAccess } from './kit-zip.ts'

/** Random access to kit.zip that hashes the start of the archive while it is read. */
export interface HashedAccess {
  readonly access: RandomAccess
  /** The hash of the first bytes, to be continued. Reads what was not read in order. */
  hash(): Promise<Hash>
}

/** Verification reads an archive from the first to the last entry, so hashing it needs hardly another read. */
export function hashInPassing(zip: KitZip, lengthBytes = zip.sizeBytes): HashedAccess {
  const hash = createHash('sha256')
  let hashedBytes = 0
  const take = (offset: number, bytes: Uint8Array): Uint8Array => {
    const known = hashedBytes - offset
    const end = Math.min(bytes.length, lengthBytes - offset)
    if (known < 0 || known >= end) return bytes
    hash.update(bytes.subarray(known, end))
    hashedBytes = offset + end
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
    hash: () => hashRange(hash, zip, hashedBytes, lengthBytes),
  }
}

/** Adds a range of an archive to a hash. */
export async function hashRange(hash: Hash, zip: KitZip, start: number, end: number): Promise<Hash> {
  for await (const bytes of zip.read(start, end)) hash.update(bytes)
  return hash
}
