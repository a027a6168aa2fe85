import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  LOG_PROOF_PATH,
  openZip,
  parseStrictJson,
  TIME_STAMP_PATH,
  trustKeys,
  verifyKit,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { KitEntry } from '../database/schema.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { kitsUnderTest, readRow, sealingIn, sealTestKit } from '../../test/test-kits.ts'
import { filesOf } from './kit-files.ts'
import { kitZip, kitZipAccess } from './kit-zip.ts'
import { KitDoesNotVerify } from './seal-kit.ts'

test('the kit of a job without files contains the intake record', async () => {
  await using place = await kitsUnderTest()
  const job = place.newJob()
  const { kit } = await sealTestKit(place.sealing, { job })
  const { entries } = readRow(kit)
  const record = JSON.parse(await text(place.objects, entries, 'data/intake.json'))
  assert.equal(record.job_id, job.job_id)
  assert.equal(record.tenant_id, job.tenant_id)
  assert.equal(record.files_supplied, 0)
  assert.equal(record.caller_authenticated, false)
  assert.match(record.statement, /No files were supplied/)
  assert.match(record.statement, /was not authenticated/)
  assert.match(await text(place.objects, entries, 'reports/intake_report.json'), /"outcome":"PASS"/)
})

test('an authenticated caller is recorded as one', async () => {
  await using place = await kitsUnderTest()
  const { kit } = await sealTestKit(place.sealing, { job: { ...place.newJob(), authenticated: 1 } })
  const { entries } = readRow(kit)
  const record = JSON.parse(await text(place.objects, entries, 'data/intake.json'))
  assert.equal(record.caller_authenticated, true)
  assert.match(record.statement, /was authenticated by an API key/)
})

test('a sealed kit verifies, as served, with the published keys', async () => {
  await using place = await kitsUnderTest({
    startPage: Buffer.from('<!doctype html><title>verify</title>'),
  })
  const { kit, entries, receipt } = await place.issue()
  const layout = { kitId: kit.kit_id, issuedAt: kit.issued_at, entries: filesOf(kit) }
  const zip = kitZip(layout, place.objects)
  const jwks = await place.keys.publicKeys()
  const report = await verifyKit(await openZip(kitZipAccess(zip), nodeHost), trustKeys(jwks), nodeHost)
  assert.deepEqual(report.errors, [])
  assert.equal(report.status, 'PASS')
  assert.equal(receipt.issuer, 'https://issuer.example')
  assert.equal(receipt.scope, 'scope')
  assert.ok(entries.some((entry) => entry.path === 'START-HERE.html'))
  const hash = createHash('sha256')
  for await (const bytes of zip.read(0, zip.sizeBytes)) hash.update(bytes)
  assert.equal(kit.zip_sha256, null, 'it is computed when someone asks for it')
  const record = await place.ctx.kits.find(kit.kit_id)
  assert.ok(record !== undefined)
  assert.equal(await place.ctx.kits.archiveSha256(record), hash.digest('hex'))
})

test('the proofs of a kit follow its manifest', async () => {
  await using place = await kitsUnderTest()
  const evidence = await storeEvidence(place.objects, 3)
  const { kit } = await sealTestKit(place.sealing, { job: place.newJob(), evidence })
  const paths = filesOf({ ...kit, log_proof: 'proof\n', time_stamp: 'AAEC' }).map(({ path }) => path)
  const at = paths.indexOf('manifest.json') + 1
  assert.deepEqual(paths.slice(at, at + 2), [LOG_PROOF_PATH, TIME_STAMP_PATH])
})

test('generated files of a kit are stored as one object', async () => {
  await using place = await kitsUnderTest()
  const { entries } = await place.issue()
  assert.equal(new Set(entries.map((entry) => entry.object)).size, 1)
  for (const entry of entries) {
    const bytes = await read(place.objects, entry)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), entry.sha256, entry.path)
  }
})

test('the row contains the Kit record of the contract', async () => {
  await using place = await kitsUnderTest()
  const { kit, receipt, entries } = await place.issue()
  assert.equal(kit.receipt_version, 'FES-1.0-preview')
  assert.equal(kit.manifest_sha256, receipt.manifest_sha256)
  assert.equal(kit.public_key_kid, receipt.public_key_kid)
  assert.equal(kit.issued_at, receipt.issued_at)
  assert.deepEqual(JSON.parse(kit.downloads), {
    'kit.zip': `/v1/kits/${kit.kit_id}/download`,
    'manifest.json': `/v1/kits/${kit.kit_id}/manifest`,
    'receipt.json': `/v1/kits/${kit.kit_id}/receipt`,
  })
  assert.deepEqual(
    parseStrictJson(await text(place.objects, entries, 'receipt.json')),
    parseStrictJson(kit.receipt),
  )
})

test('stored evidence is sealed without copying it', async () => {
  await using place = await kitsUnderTest()
  const evidence = await storeEvidence(place.objects, 40)
  const { entries } = await place.issue(evidence)
  const sealed = entries.filter((entry) => entry.path.startsWith('data/'))
  assert.deepEqual(
    sealed.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    evidence.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  )
})

test('a kit with changed evidence is not sealed and leaves no objects', async () => {
  await using place = await kitsUnderTest()
  const [evidence] = await storeEvidence(place.objects, 1)
  assert.ok(evidence)
  await writeFile(place.pathOf(evidence.object), 'x'.repeat(evidence.sizeBytes))
  const put: string[] = []
  const objects: ObjectStore = {
    ...place.objects,
    put: async (content) => {
      const stored = await place.objects.put(content)
      put.push(stored.object)
      return stored
    },
  }
  const sealing = sealTestKit(
    { ...place.sealing, seal: sealingIn(objects) },
    { job: place.newJob(), evidence: [evidence] },
  )
  await assert.rejects(sealing, KitDoesNotVerify)
  assert.equal(put.length, 1)
  assert.equal(await place.objects.inspect(put[0] ?? ''), undefined)
})

test('data loss in the object store is detected before the kit is issued', async () => {
  await using place = await kitsUnderTest()
  const objects: ObjectStore = {
    ...place.objects,
    put: async (content) => {
      const stored = await place.objects.put(content)
      const path = place.pathOf(stored.object)
      const bytes = await readFile(path)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      await writeFile(path, bytes)
      return stored
    },
  }
  await assert.rejects(
    sealTestKit({ ...place.sealing, seal: sealingIn(objects) }, { job: place.newJob() }),
    KitDoesNotVerify,
  )
})

test('two kits of the same job have different IDs', async () => {
  await using place = await kitsUnderTest()
  const job = place.newJob()
  const [a, b] = [await sealTestKit(place.sealing, { job }), await sealTestKit(place.sealing, { job })]
  assert.notEqual(a.kit.kit_id, b.kit.kit_id)
})

async function storeEvidence(objects: ObjectStore, count: number): Promise<readonly KitEntry[]> {
  const entries: KitEntry[] = []
  for (let index = 0; index < count; index++) {
    const stored = await objects.put(Buffer.from(`evidence ${index}\n`))
    entries.push({ ...stored, path: `data/evidence/${index}.txt`, offset: 0 })
  }
  return entries
}

async function text(objects: ObjectStore, entries: readonly KitEntry[], path: string): Promise<string> {
  const entry = entries.find((each) => each.path === path) ?? assert.fail(`${path} is not in the kit`)
  return (await read(objects, entry)).toString()
}

async function read(objects: ObjectStore, entry: KitEntry): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const bytes of objects.read(entry.object, entry.offset, entry.offset + entry.sizeBytes))
    parts.push(bytes)
  return Buffer.concat(parts)
}
