import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { damagedBytes } from './byte-mutations.ts'
import { seededRandom } from '../kit/seeded-random.ts'
import { replay, runFuzz, TARGET_NAMES, type TargetName } from './run-fuzz.ts'
import { readByDirectory, readByStream } from './plain-readers.ts'
import { archiveBytes, storedEntry } from '../forge/archive.ts'

const SEED = 20261115
const CASES: Readonly<Record<TargetName, number>> = {
  kits: 400,
  documents: 800,
  evidence: 300,
  forms: 1200,
  logs: 1200,
  service: 6,
}

for (const target of TARGET_NAMES)
  test(`${CASES[target]} damaged ${target} are handled correctly`, async () => {
    const { found, cases } = await runFuzz({
      seed: SEED,
      targets: [target],
      isOver: (count) => count >= CASES[target],
    })
    assert.deepEqual(
      found.map(({ seed, message }) => `npm run fuzz -- --target ${target} --case ${seed}\n${message}`),
      [],
    )
    assert.ok((cases[target]?.refused ?? 0) > CASES[target] / 3, 'most damaged input is refused')
  })

interface Seed {
  readonly target: TargetName
  readonly seed: number
  readonly found: string
}

test('cases that the fuzzer once found stay fixed', async () => {
  const seeds = JSON.parse(
    readFileSync(path.join(import.meta.dirname, 'seeds.json'), 'utf8'),
  ) as readonly Seed[]
  for (const { target, seed, found } of seeds)
    assert.equal((await replay(target, seed))?.message, undefined, found)
})

test('the same seed damages the same bytes in the same way', () => {
  const original = Buffer.from('the quick brown fox jumps over the lazy dog')
  for (let seed = 0; seed < 50; seed++)
    assert.deepEqual(damagedBytes(original, seededRandom(seed)), damagedBytes(original, seededRandom(seed)))
})

test('the two plain readers disagree on an ambiguous archive', () => {
  const entry = { ...storedEntry('a.txt', Buffer.from('a')), local: { name: Buffer.from('b.txt') } }
  const zip = archiveBytes({ entries: [entry] })
  assert.deepEqual([...(readByDirectory(zip)?.keys() ?? [])], ['a.txt'])
  assert.deepEqual([...(readByStream(zip)?.keys() ?? [])], ['b.txt'])
})
