import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ObjectStore } from './object-store.ts'

/** In the order of the names; undefined for missing objects. */
export type Fingerprints = readonly (string | undefined)[]

const BATCH = 64

export async function fingerprintsOf(objects: ObjectStore, names: readonly string[]): Promise<Fingerprints> {
  if (names.length <= BATCH) return Promise.all(names.map((name) => objects.fingerprint(name)))
  const found: (string | undefined)[] = []
  for (let at = 0; at < names.length; at += BATCH) {
    found.push(...(await fingerprintsOf(objects, names.slice(at, at + BATCH))))
    // The file system store answers synchronously: let other events run between batches.
    await nextTurn()
  }
  return found
}
