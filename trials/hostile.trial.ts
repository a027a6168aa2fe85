import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { main } from '../cli/src/main.ts'
import { noBrowser } from '../kit/embed/test/browser.ts'
import { nodeHost } from '../kit/node/index.ts'
import { checkFiles } from '../evidence/src/check-files.ts'
import { memoryPlatform } from '../evidence/src/platform/memory-platform.ts'
import { memorySource } from '../evidence/src/platform/sources.ts'
import { evidenceStore, NOW } from '../server/test/evidence-store.ts'
import { vectorFiles } from '../spec/make-vectors.ts'
import { draftKit, KIT_ID, LETTER } from '../spec/making/draft.ts'
import { keySetFile } from '../spec/making/key-sets.ts'
import type { Verdict } from '../spec/vector.ts'
import { type Construction, construct, text } from './hostile/construction.ts'
import { headersThatDisagree } from './hostile/headers-that-disagree.ts'
import { verifyInChromium } from './hostile/kits-in-chromium.ts'
import { namesAndKinds } from './hostile/names-and-kinds.ts'
import { otherReaders, type Sight } from './hostile/other-readers.ts'
import { forgivenAtIntake, plainArchives } from './hostile/plain-archives.ts'
import { recordsOutOfPlace } from './hostile/records-out-of-place.ts'

const HOSTILE = [...headersThatDisagree, ...recordsOutOfPlace, ...namesAndKinds]
const EVIDENCE = new Map([
  ['a.txt', text('the first file\n')],
  ['letter.txt', text('To whom it may concern\n')],
  ['z.csv', text('a,b\n1,2\n')],
])
const kitFiles = draftKit().files
const folder = mkdtempSync(path.join(tmpdir(), 'kitseal-hostile-'))
const { readers, missing } = otherReaders(folder)
let store: Awaited<ReturnType<typeof evidenceStore>>

before(async () => {
  store = await evidenceStore()
  writeFileSync(path.join(folder, 'jwks.json'), vectorFiles().get(keySetFile('issuer'))!)
})
after(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})
if (missing.length > 0) console.log(`not installed, and so NOT asked: ${missing.join(', ')}`)

const evidenceZip = (one: Construction, packed: boolean): Uint8Array =>
  construct(one, EVIDENCE, '', 'letter.txt', packed)
const kitZip = (one: Construction): Uint8Array => construct(one, kitFiles, `${KIT_ID}/`, LETTER, false)

for (const one of HOSTILE)
  test(`an archive with ${one.name} is refused at intake, by the offline check and by the command line`, async () => {
    for (const packed of [false, true])
      assert.notDeepEqual(
        await blockersAtIntake(evidenceZip(one, packed)),
        [],
        packed ? 'deflated' : 'stored',
      )
    assert.equal(await commandLine(kitZip(one)), 1)
  })

for (const one of plainArchives)
  test(`an archive with ${one.name} is taken in and verified, and every reader sees the same in it`, async () => {
    const zip = evidenceZip(one, false)
    assert.deepEqual(await blockersAtIntake(zip), [])
    assert.equal(await commandLine(kitZip(one)), 0)
    seenAlike(zip, EVIDENCE)
    seenAlike(kitZip(one), new Map([...kitFiles].map(([name, bytes]) => [`${KIT_ID}/${name}`, bytes])))
  })

for (const one of forgivenAtIntake)
  test(`an archive with ${one.name} is taken in, every reader sees the same in it, and it is no kit`, async () => {
    const zip = evidenceZip(one, false)
    assert.deepEqual(await blockersAtIntake(zip), [])
    seenAlike(zip, EVIDENCE)
    assert.equal(await commandLine(kitZip(one)), 1)
  })

test('Chromium gives each of these kits the verdict of the command line', { skip: noBrowser }, async () => {
  const all = [...HOSTILE, ...plainArchives, ...forgivenAtIntake]
  const results = await verifyInChromium(new Map(all.map((one) => [one.name, kitZip(one)])))
  assert.equal(Object.keys(results).length, all.length)
  for (const [name, verdict] of Object.entries(results)) {
    const expected = plainArchives.some((one) => one.name === name) ? 'PASS' : 'FAIL'
    assert.equal((verdict as Verdict).status, expected, `${name}: ${JSON.stringify(verdict)}`)
  }
})

test('the constructions are hostile indeed: other readers do see different things in many of them', () => {
  const quick = readers.filter(({ name }) => name !== 'python3')
  const disagreed = HOSTILE.filter((one) => {
    const sights = quick.map(({ read }) => JSON.stringify(sorted(read(evidenceZip(one, false)))))
    return new Set(sights).size > 1
  })
  const names = quick.map(({ name }) => name).join(', ')
  console.log(
    `hostile archives: ${HOSTILE.length} constructions, all refused; ${names} disagree on ${disagreed.length}`,
  )
  assert.ok(disagreed.length > HOSTILE.length / 3, `${disagreed.length} of ${HOSTILE.length}`)
})

async function blockersAtIntake(zip: Uint8Array): Promise<readonly string[]> {
  const taken = await store.examine({ 'e.zip': zip })
  const checked = await checkFiles(memoryPlatform(nodeHost), {
    files: [{ name: 'e.zip', source: memorySource(zip) }],
    now: NOW,
  })
  assert.deepEqual(checked.blockers, taken.blockers, 'the offline check says what the service says')
  return taken.blockers.map(({ code, path: where }) => `${code} ${where ?? ''}`)
}

async function commandLine(zip: Uint8Array): Promise<number> {
  const file = path.join(folder, 'kit.zip')
  writeFileSync(file, zip)
  const silent = { write: () => true }
  const terminal = { env: {}, stdout: silent, stderr: silent }
  return main(['verify', file, '--jwks', path.join(folder, 'jwks.json')], terminal)
}

function seenAlike(zip: Uint8Array, files: ReadonlyMap<string, Uint8Array>): void {
  const expected = Object.fromEntries(
    [...files].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]),
  )
  for (const { name, read } of readers) {
    const sight = read(zip)
    // The plain readers give up on zip64; a reader that gives up sees nothing that is wrong.
    if (sight !== undefined) assert.deepEqual(sorted(sight), sorted(expected), `${name} sees something else`)
  }
}

const sorted = (sight: Sight): unknown =>
  sight && Object.entries(sight).toSorted(([a], [b]) => (a < b ? -1 : 1))
