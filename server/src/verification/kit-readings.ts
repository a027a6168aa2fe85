import { type ExaminedKit, examineKit, storedKit } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { KitEntry } from '../database/schema.ts'
import type { KitRecord } from '../kits/kit-queries.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { lane } from './lanes.ts'

/** Kits as they lie in the store now: every file is read and hashed again. */
export interface KitReadings {
  /** Throws a Refusal where too many kits are being read. */
  examine(kit: KitRecord): Promise<ExaminedKit>
}

/** How long a reading of untouched objects is good for. Objects that were touched are read again at once. */
export const READING_KEPT_MS = 1000

const SMALL_KIT_BYTES = 16 * 1024 * 1024
const KEPT_FILES = 50_000

interface Reading {
  readonly examined: ExaminedKit
  readonly fingerprints: ReadonlyMap<string, string | undefined>
  readonly readAt: number
}

/**
 * Requests for one kit that come while it is being read share that reading. Small kits and large ones wait in lanes of
 * their own, so that nobody can keep the service from verifying small kits by asking for large ones.
 */
export function kitReadings(
  objects: ObjectStore,
  elapsedMs: () => number = () => performance.now(),
): KitReadings {
  const lanes = { small: lane(4, 256), large: lane(1, 16) }
  const flights = new Map<string, Promise<ExaminedKit>>()
  const kept = new Map<string, Reading>()

  async function freshReading(kit: KitRecord): Promise<ExaminedKit> {
    const fingerprints = await fingerprintsOf(objects, kit.entries)
    const before = kept.get(kit.kitId)
    const now = elapsedMs()
    if (
      before !== undefined &&
      now - before.readAt < READING_KEPT_MS &&
      sameMap(before.fingerprints, fingerprints)
    ) {
      return before.examined
    }
    const examined = await readKit(objects, kit.entries, fingerprints)
    kept.delete(kit.kitId)
    kept.set(kit.kitId, { examined, fingerprints, readAt: now })
    forgetOld(kept, now)
    return examined
  }

  return {
    examine(kit) {
      const flying = flights.get(kit.kitId)
      if (flying !== undefined) return flying
      const sizeBytes = kit.entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)
      const { run } = sizeBytes <= SMALL_KIT_BYTES ? lanes.small : lanes.large
      const flight = run(() => freshReading(kit)).finally(() => flights.delete(kit.kitId))
      flights.set(kit.kitId, flight)
      return flight
    },
  }
}

/** A file whose object is gone is not listed: the checks then say that it is missing. */
async function readKit(
  objects: ObjectStore,
  entries: readonly KitEntry[],
  fingerprints: ReadonlyMap<string, string | undefined>,
): Promise<ExaminedKit> {
  const there = entries.filter((entry) => fingerprints.get(entry.object) !== undefined)
  const byPath = new Map(there.map((entry) => [entry.path, entry]))
  const open = (path: string): AsyncIterable<Uint8Array> => {
    const entry = byPath.get(path)
    if (entry === undefined) throw new Error(`${path} is not in the kit`)
    return objects.read(entry.object, entry.offset, entry.offset + entry.sizeBytes)
  }
  return examineKit(storedKit(there, open, nodeHost), nodeHost)
}

async function fingerprintsOf(
  objects: ObjectStore,
  entries: readonly KitEntry[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const names = [...new Set(entries.map((entry) => entry.object))]
  const found = new Map<string, string | undefined>()
  for (let at = 0; at < names.length; at += 64) {
    const some = names.slice(at, at + 64)
    const prints = await Promise.all(some.map((name) => objects.fingerprint(name)))
    for (const [index, name] of some.entries()) found.set(name, prints[index])
  }
  return found
}

function sameMap(
  a: ReadonlyMap<string, string | undefined>,
  b: ReadonlyMap<string, string | undefined>,
): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}

/** Oldest first; what is past its time goes, and more than the memory is meant to hold. */
function forgetOld(kept: Map<string, Reading>, now: number): void {
  let files = [...kept.values()].reduce((sum, { examined }) => sum + examined.paths.size, 0)
  for (const [kitId, { examined, readAt }] of kept) {
    if (now - readAt < READING_KEPT_MS && files <= KEPT_FILES) return
    kept.delete(kitId)
    files -= examined.paths.size
  }
}
