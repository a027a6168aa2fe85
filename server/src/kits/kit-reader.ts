import { ENVELOPE, type ExaminedKit, examineKit, storedKit } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { readFile, storedFiles } from './kit-files.ts'
import type { KitRecord } from './kit-queries.ts'
import { blockReads, endsOf } from '../objects/block-reads.ts'
import { type Fingerprints, fingerprintsOf } from '../objects/fingerprints.ts'
import { detectOutage } from '../objects/detect-outage.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { kitSemaphore } from './kit-semaphore.ts'

/**
 * A result is cached for a second, and for a large kit four times as long as it took, so that repeated requests use the disk at
 * most a fifth of the time. A kit whose objects were modified is read at once.
 */
export const CACHE_MS = 1000
const CACHE_FACTOR = 4

const SMALL_KIT_BYTES = 16 * 1024 * 1024
const MAX_CACHED_FILES = 50_000
const FEW_OBJECTS = 64

interface CachedResult {
  readonly examined: ExaminedKit
  readonly fingerprints: Fingerprints
  readonly expiresAt: number
}

/** Concurrent requests for one kit share one read. Small and large kits have separate limits, so that large ones cannot block small ones. */
export function kitReader(objects: ObjectStore, elapsedMs: () => number = () => performance.now()) {
  const semaphores = { small: kitSemaphore(4, 256), large: kitSemaphore(1, 16) }
  const inProgress = new Map<string, Promise<ExaminedKit>>()
  const cache = new Map<string, CachedResult>()
  let finished: string[] = []
  const forgetFinished = (): void => {
    for (const kitId of finished) inProgress.delete(kitId)
    finished = []
  }

  function cachedResult(kit: KitRecord, fingerprints: Fingerprints): ExaminedKit | undefined {
    const cached = cache.get(kit.kitId)
    const isValid =
      kit.expired === undefined &&
      cached !== undefined &&
      elapsedMs() < cached.expiresAt &&
      same(cached.fingerprints, fingerprints)
    return isValid ? cached.examined : undefined
  }

  /** To compare a few files of a local disk, a request need not wait for those that read kits. */
  async function examineOnce(kit: KitRecord): Promise<ExaminedKit> {
    const isQuick = objects.isRemote !== true && kit.objects.length <= FEW_OBJECTS && cache.has(kit.kitId)
    const known = isQuick ? cachedResult(kit, await fingerprintsOf(objects, kit.objects)) : undefined
    if (known !== undefined) return known
    const semaphore = kit.contentBytes <= SMALL_KIT_BYTES ? semaphores.small : semaphores.large
    return semaphore.run(() => examineFresh(kit))
  }

  async function examineFresh(kit: KitRecord): Promise<ExaminedKit> {
    const fingerprints = await fingerprintsOf(objects, kit.objects)
    const known = cachedResult(kit, fingerprints)
    if (known !== undefined) return known
    const began = elapsedMs()
    const examined = await readKit(objects, kit, fingerprints)
    const ended = elapsedMs()
    const expiresAt = ended + Math.max(CACHE_MS, (ended - began) * CACHE_FACTOR)
    cache.delete(kit.kitId)
    cache.set(kit.kitId, { examined, fingerprints, expiresAt })
    evict(cache, ended)
    return examined
  }

  return {
    /** Throws a Refusal if too many kits are being read. */
    examine(kit: KitRecord): Promise<ExaminedKit> {
      const running = inProgress.get(kit.kitId)
      if (running !== undefined) return running
      const examining = examineOnce(kit)
      inProgress.set(kit.kitId, examining)
      // Shared until the next event loop iteration: requests that arrive in this one are concurrent.
      const finish = (): void => {
        if (finished.push(kit.kitId) === 1) setImmediate(forgetFinished)
      }
      examining.then(finish, finish)
      return examining
    },
  }
}

/** Leaves out files whose object is gone, which the checks then report as missing. */
async function readKit(
  objects: ObjectStore,
  kit: KitRecord,
  fingerprints: Fingerprints,
): Promise<ExaminedKit> {
  if (kit.expired !== undefined) return readExpired(kit, kit.expired.manifest)
  const watched = detectOutage(objects)
  // Also on a local disk: small files share objects, and opening one costs more than reading a block.
  const near = blockReads({ read: watched.read, isRemote: true }, endsOf(storedFiles(kit.entries)))
  const gone = new Set(kit.objects.filter((_, index) => fingerprints[index] === undefined))
  const present = kit.entries.filter((entry) => !('object' in entry && gone.has(entry.object)))
  const byPath = new Map(present.map((entry) => [entry.path, entry]))
  const open = (path: string): AsyncIterable<Uint8Array> => {
    const entry = byPath.get(path)
    if (entry === undefined) throw new Error(`${path} is not in the kit`)
    return readFile(near, entry)
  }
  const examined = await examineKit(storedKit(present, open, nodeHost), nodeHost)
  watched.throwIfUnavailable()
  return examined
}

/** After retention only manifest and receipt are left. The checks report the other files as missing. */
function readExpired(kit: KitRecord, manifest: string): Promise<ExaminedKit> {
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

/** Drops expired results, then the oldest ones above the memory limit. */
function evict(cache: Map<string, CachedResult>, now: number): void {
  let files = [...cache.values()].reduce((sum, { examined }) => sum + examined.paths.size, 0)
  for (const [kitId, { examined, expiresAt }] of cache) {
    if (now < expiresAt && files <= MAX_CACHED_FILES) continue
    cache.delete(kitId)
    files -= examined.paths.size
  }
}
