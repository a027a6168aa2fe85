// docs/decisions/0153
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { START_PAGE_PATH } from '@kitseal/kit'
import type { KitEntry } from '../database/schema.ts'
import { readFully } from '../objects/chunks.ts'
import type { ObjectStore } from '../objects/object-store.ts'

type Store = Pick<ObjectStore, 'read' | 'fingerprint'>

/** A page that many kits share, as it was read from the store and hashed. */
export interface SharedPage {
  /** The name of its object. */
  readonly sha256: string
  readonly crc32: number
  readonly sizeBytes: number
  readonly bytes: Uint8Array
  /** Of the stored object, taken before it was read. */
  readonly fingerprint: string
}

const pages = new WeakMap<Store, SharedPage>()

/**
 * The content of START-HERE.html, if the stored object has the right hash. It is read and hashed once per process, and again when
 * its fingerprint changes. Undefined if the object is missing or damaged, so that verification reads it and fails.
 */
export async function sharedPage(
  store: Store,
  entries: readonly KitEntry[],
): Promise<SharedPage | undefined> {
  const entry = entries.find(({ path }) => path === START_PAGE_PATH)
  if (entry === undefined || entry.object !== entry.sha256 || entry.offset !== 0) return undefined
  const fingerprint = await store.fingerprint(entry.object)
  if (fingerprint === undefined) return undefined
  const known = pages.get(store)
  if (known?.sha256 === entry.sha256 && known.fingerprint === fingerprint) return known
  const bytes = await readFully(store, entry.object, 0, entry.sizeBytes)
  if (createHash('sha256').update(bytes).digest('hex') !== entry.sha256) return undefined
  const { sha256, sizeBytes } = entry
  const page = { sha256, crc32: crc32(bytes), sizeBytes, bytes, fingerprint }
  pages.set(store, page)
  return page
}
