import { ENVELOPE, type ExaminedKit, examineKit, storedKit } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import type { KitRecord } from '../kits/kit-queries.ts'
import { blockReads, endsOf } from '../objects/block-reads.ts'
import { type Fingerprints, fingerprintsOf } from '../objects/fingerprints.ts'
import { detectOutage } from '../objects/detect-outage.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { kitSemaphore } from './kit-semaphore.ts'

/** Kits as they lie in the store now: every file is read and hashed again. */
export interface KitReadings {
  /** Throws a Refusal where too many kits are being read. */
  examine(kit: KitRecord): Promise<ExaminedKit>
}

/**
 * How long a reading of untouched objects is good for: a second, and for a large kit four times as long as it took, so
 * that reading one over and over keeps the disk busy a fifth of the time. Objects that were touched are read at once.
 */
export const READING_KEPT_MS = 1000
const KEPT_PER_READING = 4

const SMALL_KIT_BYTES = 16 * 1024 * 1024
const KEPT_FILES = 50_000

interface Reading {
  readonly examined: ExaminedKit
  readonly fingerprints: Fingerprints
  readonly goodUntil: number
}

/**
 * Requests for one kit that come while it is being read share that reading. Small and large kits have separate
 * queues, so that requests for large kits cannot block those for small ones.
 */
export function kitReadings(
  objects: ObjectStore,
  elapsedMs: () => number = () => performance.now(),
): KitReadings {
  const semaphores = { small: kitSemaphore(4, 256), large: kitSemaphore(1, 16) }
  const flights = new Map<string, Promise<ExaminedKit>>()
  const kept = new Map<string, Reading>()

  async function freshReading(kit: KitRecord): Promise<ExaminedKit> {
    const fingerprints = await fingerprintsOf(objects, kit.objects)
    const before = kept.get(kit.kitId)
    const began = elapsedMs()
    if (before !== undefined && began < before.goodUntil && same(before.fingerprints, fingerprints)) {
      return before.examined
    }
    const examined = await readKit(objects, kit, fingerprints)
    const ended = elapsedMs()
    const goodUntil = ended + Math.max(READING_KEPT_MS, (ended - began) * KEPT_PER_READING)
    kept.delete(kit.kitId)
    kept.set(kit.kitId, { examined, fingerprints, goodUntil })
    forgetOld(kept, ended)
    return examined
  }

  return {
    examine(kit) {
      const flying = flights.get(kit.kitId)
      if (flying !== undefined) return flying
      const semaphore = kit.contentBytes <= SMALL_KIT_BYTES ? semaphores.small : semaphores.large
      const flight = semaphore.run(() => freshReading(kit))
      flights.set(kit.kitId, flight)
      // Until the next turn of the event loop: what arrived in this one is at the same time.
      const land = (): void => void setImmediate(() => flights.delete(kit.kitId))
      flight.then(land, land)
      return flight
    },
  }
}

/** A file whose object is gone is not listed: the checks then say that it is missing. */
async function readKit(
  objects: ObjectStore,
  kit: KitRecord,
  fingerprints: Fingerprints,
): Promise<ExaminedKit> {
  if (kit.expired !== undefined) return readRemains(kit, kit.expired.manifest)
  const noticing = detectOutage(objects)
  const near = blockReads(noticing, endsOf(kit.entries))
  const gone = new Set(kit.objects.filter((_, index) => fingerprints[index] === undefined))
  const there = kit.entries.filter((entry) => !gone.has(entry.object))
  const byPath = new Map(there.map((entry) => [entry.path, entry]))
  const open = (path: string): AsyncIterable<Uint8Array> => {
    const entry = byPath.get(path)
    if (entry === undefined) throw new Error(`${path} is not in the kit`)
    return near.read(entry.object, entry.offset, entry.offset + entry.sizeBytes)
  }
  const examined = await examineKit(storedKit(there, open, nodeHost), nodeHost)
  noticing.throwIfUnavailable()
  return examined
}

/** After its retention a kit has its manifest and its receipt; every other file is missing, and the checks say so. */
function readRemains(kit: KitRecord, manifest: string): Promise<ExaminedKit> {
  const documents = new Map([
    [ENVELOPE.manifest as string, Buffer.from(manifest)],
    [ENVELOPE.receipt as string, Buffer.from(kit.receipt)],
  ])
  const there = [...documents].map(([path, bytes]) => ({ path, sizeBytes: bytes.length }))
  async function* open(path: string): AsyncGenerator<Uint8Array> {
    yield documents.get(path) ?? new Uint8Array(0)
  }
  return examineKit(storedKit(there, open, nodeHost), nodeHost)
}

function same(a: Fingerprints, b: Fingerprints): boolean {
  return a.length === b.length && a.every((print, index) => print === b[index])
}

/** What is past its time goes, and, oldest first, more than the memory is meant to hold. */
function forgetOld(kept: Map<string, Reading>, now: number): void {
  let files = [...kept.values()].reduce((sum, { examined }) => sum + examined.paths.size, 0)
  for (const [kitId, { examined, goodUntil }] of kept) {
    if (now < goodUntil && files <= KEPT_FILES) continue
    kept.delete(kitId)
    files -= examined.paths.size
  }
}
