import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { kitsUnderTest, sealingIn, sealTestKit } from '../../test/test-kits.ts'
import type { KitEntry } from '../database/schema.ts'
import { filesystemObjects } from '../objects/filesystem-objects.ts'
import { ObjectUnreadable, type ObjectStore } from '../objects/object-store.ts'
import { parseEntries } from './kit-files.ts'
import { archiveSha256 } from './kit-zip.ts'
import { KitDoesNotVerify } from './seal-kit.ts'

const PAGE = Buffer.from('<!doctype html><title>Start here</title>')
const place = await kitsUnderTest({ startPage: PAGE })
after(() => place[Symbol.asyncDispose]())
const PAGE_OBJECT = place.sealing.startPage?.object ?? ''
const SIZES = { small: 1000, 'medium-sized': 400_000, large: 2_000_000 }

test('every object of a kit is read from the store, once for each kit, and the page once more to know its hash', async () => {
  const reads = new Map<string, number>()
  const objects = countingReads(place.objects, reads)
  const seal = () => sealTestKit({ ...place.sealing, seal: sealingIn(objects) }, { job: place.newJob() })
  const kits = [await seal(), await seal(), await seal()]
  assert.equal(reads.get(PAGE_OBJECT), kits.length + 1)
  for (const { kit } of kits) assert.equal(reads.get(packOf(kit.entries)), 1)
})

test('a kit is not sealed with a page that was changed, replaced or deleted in the store', async () => {
  const changes: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    changed: (path) => writeFile(path, Buffer.from(PAGE).fill('x', 0, 1)),
    shorter: (path) => writeFile(path, PAGE.subarray(1)),
    deleted: (path) => rm(path),
  }
  for (const [name, change] of Object.entries(changes)) {
    const objects = filesystemObjects(`${place.folder}/objects`)
    const seal = (): Promise<unknown> =>
      sealTestKit({ ...place.sealing, seal: sealingIn(objects) }, { job: place.newJob() })
    await objects.put(PAGE, PAGE_OBJECT)
    await seal()
    await change(place.pathOf(PAGE_OBJECT))
    await assert.rejects(
      seal(),
      (error) => error instanceof KitDoesNotVerify || error instanceof ObjectUnreadable,
      name,
    )
  }
})

test('a page that was repaired is used again', async () => {
  await place.objects.put(PAGE, PAGE_OBJECT)
  const seal = (): Promise<unknown> => sealTestKit(place.sealing, { job: place.newJob() })
  await seal()
  const path = place.pathOf(PAGE_OBJECT)
  await writeFile(path, Buffer.from(PAGE).fill('x'))
  await assert.rejects(seal(), KitDoesNotVerify)
  await writeFile(path, PAGE)
  await seal()
})

for (const [name, sizeBytes] of Object.entries(SIZES)) {
  test(`${name} kits that are sealed at the same time do not share a buffer`, async () => {
    const evidence = [await storeEvidence(place.objects, sizeBytes)]
    const kits = await Promise.all(
      Array.from({ length: 6 }, () => sealTestKit(place.sealing, { job: place.newJob(), evidence })),
    )
    // Each was verified. Read again, all of them still are what was sealed.
    for (const { kit } of kits)
      await archiveSha256(
        { kitId: kit.kit_id, issuedAt: kit.issued_at, entries: parseEntries(kit.entries) },
        place.objects,
      )
  })

  test(`a ${name} kit whose stored evidence changed by one bit is not sealed`, async () => {
    const evidence = await storeEvidence(place.objects, sizeBytes)
    const path = place.pathOf(evidence.object)
    const bytes = await readFile(path)
    bytes[sizeBytes - 1] = (bytes[sizeBytes - 1] ?? 0) ^ 1
    await writeFile(path, bytes)
    const sealing = sealTestKit(place.sealing, { job: place.newJob(), evidence: [evidence] })
    await assert.rejects(sealing, KitDoesNotVerify)
  })
}

const packOf = (entries: string): string =>
  (JSON.parse(entries) as readonly KitEntry[]).find(({ path }) => path === 'receipt.json')?.object ?? ''

async function storeEvidence(objects: ObjectStore, sizeBytes: number): Promise<KitEntry> {
  const stored = await objects.put(Buffer.alloc(sizeBytes, 'evidence '))
  return { ...stored, path: 'data/evidence.txt', offset: 0 }
}

const countingReads = (objects: ObjectStore, reads: Map<string, number>): ObjectStore => ({
  ...objects,
  read: (sha256, start, end) => {
    reads.set(sha256, (reads.get(sha256) ?? 0) + 1)
    return objects.read(sha256, start, end)
  },
})
