import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { nodeHost } from '../../../kit/node/internal.ts'
import { examineFiles } from '../../../examiner/src/examine-files.ts'
import { DEFAULT_LIMITS } from '../../../examiner/src/limits.ts'
import { memoryPlatform } from '../../../examiner/src/platform/platform.ts'
import { memorySource } from '../../../examiner/src/platform/sources.ts'
import { DEFAULT_PROFILE } from '../../../examiner/src/profile/profile.ts'
import { RULES } from '../../../examiner/src/rules.ts'
import { deflated, SOUND_FILES, stored, zipOf } from '../../../examiner/test/evidence-samples.ts'
import type { Archive } from '../../forge/archive.ts'
import type { SeededRandom } from '../../kit/seeded-random.ts'
import { type Contents, readByDirectory, readByStream } from '../plain-readers.ts'
import { damagedArchive, repacked } from '../archive-mutations.ts'
import { damagedBytes } from '../byte-mutations.ts'
import { CaseFailure, type Outcome, type Target } from '../target.ts'

const NOW = '2026-06-30T12:00:00.000Z'
const SOUND = Object.entries(SOUND_FILES).map(
  ([name, content]) => [name, typeof content === 'string' ? Buffer.from(content) : content] as const,
)

/** Uploads of every type, and archives of them. Every ZIP reader must see the same content in what is accepted. */
export function evidenceTarget(): Target {
  return {
    name: 'evidence',
    run: async (random) => {
      const [name, bytes] = changedFile(random)
      try {
        return await check(name, bytes)
      } catch (error) {
        throw new CaseFailure(
          `${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
          bytes,
        )
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

function changedFile(random: SeededRandom): readonly [name: string, bytes: Uint8Array] {
  if (random.oneIn(2)) {
    const [name, bytes] = random.pick(SOUND)
    return [name, damagedBytes(bytes, random)]
  }
  const some = Array.from({ length: 1 + random.below(4) }, () => random.pick(SOUND))
  const files = new Map(some)
  if (random.oneIn(4)) files.set('n.zip', damagedBytes(zipOf(Object.fromEntries(some)), random))
  const archive: Archive = {
    entries: [...files].map(([name, bytes]) =>
      random.oneIn(2) ? stored(name, bytes) : deflated(name, bytes),
    ),
  }
  if (archive.entries.every(({ header }) => header.method === 0)) repacked(archive, random)
  return [
    'e.zip',
    random.oneIn(5)
      ? damagedBytes(zipOf(Object.fromEntries(files)), random)
      : damagedArchive(archive, random),
  ]
}

async function check(name: string, bytes: Uint8Array): Promise<Outcome> {
  const { blockers, files } = await examineFiles(memoryPlatform(nodeHost), {
    files: [{ name, source: memorySource(bytes), object: name }],
    limits: DEFAULT_LIMITS,
    profile: DEFAULT_PROFILE,
    accept: [],
    now: NOW,
  })
  for (const { code } of blockers) assert.ok(code in RULES, `unknown rule ${code}`)
  if (blockers.length > 0) return 'refused'
  if (name !== 'e.zip') return 'accepted'
  const recorded = files.map(({ sha256 }) => sha256).toSorted()
  for (const [reader, contents] of [
    ['the directory', readByDirectory(bytes)],
    ['the stream', readByStream(bytes)],
  ] as const)
    if (contents !== undefined)
      assert.deepEqual(hashesIn(contents), recorded, `accepted, but ${reader} shows different content`)
  return 'accepted'
}

function hashesIn(contents: Contents): readonly string[] {
  return [...contents.values()].map((bytes) => createHash('sha256').update(bytes).digest('hex')).toSorted()
}
