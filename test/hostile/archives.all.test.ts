import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { main } from '../../cli/src/main.ts'
import { noBrowser } from '../../kit/embed/test/browser.ts'
import { nodeHost } from '@kitseal/kit/node'
import { checkFiles, memoryPlatform } from '@kitseal/examiner'
import { evidenceStore, NOW } from '../../server/test/evidence-store.ts'
import { VECTORS_FOLDER } from '../../spec/stored-vectors.ts'
import { draftKit, KIT_ID, LETTER } from '../forge/draft-kit.ts'
import type { Result } from '../../spec/vector.ts'
import { type Construction, construct, text } from './archives/construction.ts'
import { conflictingHeaders } from './archives/conflicting-headers.ts'
import { verifyInChromium } from './archives/kits-in-chromium.ts'
import { namesAndTypes } from './archives/names-and-types.ts'
import { otherReaders, type Listing } from './archives/other-readers.ts'
import { evidenceOnlyArchives, plainArchives } from './archives/plain-archives.ts'
import { misplacedRecords } from './archives/misplaced-records.ts'

const HOSTILE = [...conflictingHeaders, ...misplacedRecords, ...namesAndTypes]
/** Accepted as evidence with a notice, and never as a kit: only the name depends on the program. */
const DECODED = new Set(['a name of a code page'])
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
  copyFileSync(path.join(VECTORS_FOLDER, 'keys/issuer.json'), path.join(folder, 'jwks.json'))
})
after(async () => {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})
if (missing.length > 0) console.log(`not installed, NOT tested: ${missing.join(', ')}`)

const evidenceZip = (one: Construction, packed: boolean): Uint8Array =>
  construct(one, EVIDENCE, '', 'letter.txt', packed)
const kitZip = (one: Construction): Uint8Array => construct(one, kitFiles, `${KIT_ID}/`, LETTER, false)

for (const one of HOSTILE)
  test(`an archive with ${one.name} is refused by the service, by kitseal check and by kitseal verify`, async () => {
    for (const packed of [false, true]) {
      const blockers = await blockersAtIntake(evidenceZip(one, packed))
      assert.equal(blockers.length === 0, DECODED.has(one.name), packed ? 'deflated' : 'stored')
    }
    assert.ok([FAILS, IS_UNREADABLE].includes(await commandLine(kitZip(one))))
  })

for (const one of plainArchives)
  test(`an archive with ${one.name} is accepted and verified, and all zip readers agree on it`, async () => {
    const zip = evidenceZip(one, false)
    assert.deepEqual(await blockersAtIntake(zip), [])
    assert.equal(await commandLine(kitZip(one)), 0)
    assertReadersAgree(zip, EVIDENCE)
    assertReadersAgree(
      kitZip(one),
      new Map([...kitFiles].map(([name, bytes]) => [`${KIT_ID}/${name}`, bytes])),
    )
  })

for (const one of evidenceOnlyArchives)
  test(`an archive with ${one.name} is accepted as evidence, all zip readers agree on it, and it fails as a kit`, async () => {
    const zip = evidenceZip(one, false)
    assert.deepEqual(await blockersAtIntake(zip), [])
    assertReadersAgree(zip, EVIDENCE)
    assert.ok([FAILS, IS_UNREADABLE].includes(await commandLine(kitZip(one))))
  })

test('Chromium and the command line agree on each of these kits', { skip: noBrowser }, async () => {
  const all = [...HOSTILE, ...plainArchives, ...evidenceOnlyArchives]
  const results = await verifyInChromium(new Map(all.map((one) => [one.name, kitZip(one)])))
  assert.equal(Object.keys(results).length, all.length)
  for (const [name, verdict] of Object.entries(results)) {
    const expected = plainArchives.some((one) => one.name === name) ? 'PASS' : 'FAIL'
    assert.equal((verdict as Result).status, expected, `${name}: ${JSON.stringify(verdict)}`)
  }
})

test('other zip readers disagree on many of these archives', () => {
  const quick = readers.filter(({ name }) => name !== 'python3')
  const disagreed = HOSTILE.filter((one) => {
    const listings = quick.map(({ read }) => JSON.stringify(sorted(read(evidenceZip(one, false)))))
    return new Set(listings).size > 1
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
    files: [
      {
        name: 'e.zip',
        source: { sizeBytes: zip.length, read: (at, length) => zip.subarray(at, at + length) },
      },
    ],
    now: NOW,
  })
  assert.deepEqual(checked.findings, taken.findings, 'kitseal check and the service report the same findings')
  assert.deepEqual(checked.blockers, taken.blockers)
  return taken.blockers.map(({ code, path: where }) => `${code} ${where ?? ''}`)
}

/** Exit codes of `kitseal verify`. */
const [FAILS, IS_UNREADABLE] = [1, 2]

async function commandLine(zip: Uint8Array): Promise<number> {
  const file = path.join(folder, 'kit.zip')
  writeFileSync(file, zip)
  const silent = { write: () => true }
  const terminal = { env: {}, stdout: silent, stderr: silent }
  return main(['verify', file, '--jwks', path.join(folder, 'jwks.json')], terminal)
}

function assertReadersAgree(zip: Uint8Array, files: ReadonlyMap<string, Uint8Array>): void {
  const expected = Object.fromEntries(
    [...files].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]),
  )
  for (const { name, read } of readers) {
    const listing = read(zip)
    // The plain readers do not support zip64.
    if (listing !== undefined)
      assert.deepEqual(sorted(listing), sorted(expected), `${name} reads other content`)
  }
}

const sorted = (listing: Listing): unknown =>
  listing && Object.entries(listing).toSorted(([a], [b]) => (a < b ? -1 : 1))
