import { createHash } from 'node:crypto'
import { type Host, START_PAGE_PATH } from '@kitseal/kit/internal'
import { startPage } from '@kitseal/kit/internal/node'
import { nodeHost } from '@kitseal/kit/node'
import type { Db, KitEntry } from '../database/schema.ts'
import { insertObjects } from '../objects/accepted-objects.ts'
import { readFully } from '../objects/block-reads.ts'
import type { ObjectStore, StoredObject } from '../objects/object-store.ts'

interface Known {
  readonly bytes: Uint8Array
  readonly digest: Uint8Array
}

let known: (Known & { readonly object: string }) | undefined

/**
 * The host for the files of a kit. The start page is in every kit, and larger than all else that the service adds to a small one: it
 * is hashed once in a process and compared from then on, because equal bytes have equal hashes.
 */
export async function hostKnowingPage(
  objects: Pick<ObjectStore, 'read'>,
  entries: readonly KitEntry[],
): Promise<Host> {
  const page = entries.find(({ path }) => path === START_PAGE_PATH)
  if (page === undefined) return nodeHost
  if (known?.object !== page.object) {
    const { object, offset, sizeBytes } = page
    // Whoever verifies the kit says that it cannot be read.
    const bytes = await readFully(objects, object, offset, offset + sizeBytes).catch(() => undefined)
    if (bytes === undefined) return nodeHost
    known = { object, bytes, digest: nodeHost.digest(bytes) }
  }
  const compared = known
  return { ...nodeHost, sha256: () => comparing(compared) }
}

/** Hashes from the first byte that differs. */
export function comparing({ bytes, digest }: Known): ReturnType<Host['sha256']> {
  let at = 0
  let hash: ReturnType<Host['sha256']> | undefined
  const hashed = () => {
    if (hash === undefined) {
      hash = nodeHost.sha256()
      hash.update(bytes.subarray(0, at))
    }
    return hash
  }
  return {
    update(chunk) {
      const isEqual = hash === undefined && Buffer.compare(chunk, bytes.subarray(at, at + chunk.length)) === 0
      if (isEqual) at += chunk.length
      else hashed().update(chunk)
    },
    digest: () => (hash === undefined && at === bytes.length ? digest : hashed().digest()),
  }
}

const NAME_LENGTH = 32

/** START-HERE.html is the same in every kit, so it is stored once, under its hash. That of earlier versions stays, for their kits. */
export async function storeStartPage(
  { db, objects }: { readonly db: Db; readonly objects: ObjectStore },
  issuer: string,
): Promise<StoredObject> {
  const page = startPage(issuer)
  const name = createHash('sha256').update(page).digest('hex').slice(0, NAME_LENGTH)
  const stored = await objects.put(page, name)
  await insertObjects(db, null, [stored])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return stored
}
