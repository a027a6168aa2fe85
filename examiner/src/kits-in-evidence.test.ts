import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_TRUST } from '@kitseal/kit'
import { bytesOf, zipOf } from '../test/evidence-samples.ts'
import { codes, examine, noticed } from '../test/examine.ts'
import { sampleIssuer, unpacked } from '../test/sample-kits.ts'
import { eicarString } from './search/find-bytes.ts'

const own = sampleIssuer('https://own.example')
const other = sampleIssuer('https://other.example')
const trust = { ...NO_TRUST, keySets: [own.keySet, other.keySet] }

const kit = await own.seal({ 'users.csv': 'name\nAda\n', 'broken.pdf': '%PDF-1.4\ntruncated' })

/** Changes one byte of a file in the kit. */
function altered(zip: Uint8Array): Uint8Array {
  const copy = Buffer.from(zip)
  copy.write('Eve', copy.indexOf('Ada'))
  return copy
}

test('a kit.zip is kept whole, verified with the keys given, and the result is a finding and in the report', async () => {
  const result = await examine({ 'q1.zip': kit }, { trust })
  assert.deepEqual(noticed(result), ['notice kit_verified q1.zip'])
  assert.match(result.findings[0]?.message ?? '', /It is kit_\S+ of https:\/\/own\.example, issued 20/)
  assert.deepEqual(
    result.files.map(({ path }) => path),
    ['data/q1.zip'],
  )
  const { kits } = result.intakeReport as unknown as { kits: readonly Record<string, unknown>[] }
  assert.equal(kits.length, 1)
  assert.equal(kits[0]?.['verdict'], 'verified')
  assert.equal(kits[0]?.['issuer'], 'https://own.example')
})

test('a kit of an unknown issuer is accepted with a notice, and damage in it counts', async () => {
  const result = await examine({ 'q1.zip': kit })
  assert.deepEqual(
    noticed(result).map((line) => line.replace(/kit_[\w-]{27}/, 'KIT')),
    ['damage malformed_pdf q1.zip/KIT/data/broken.pdf', 'notice kit_unconfirmed q1.zip'],
  )
})

test('an altered kit is damage', async () => {
  const result = await examine({ 'q1.zip': altered(kit) }, { trust })
  assert.equal(codes(result)[0], 'kit_altered q1.zip')
  assert.match(result.blockers[0]?.message ?? '', /It is kit_\S+ of https:\/\/own\.example: \S+/)
  const folder = await unpacked(kit, 'q1')
  const changed = { ...folder, 'q1/data/users.csv': bytesOf('name\nEve\n') }
  const unpackedResult = await examine(changed, { trust, accept: ['malformed_pdf'] })
  assert.ok(codes(unpackedResult).includes('kit_altered q1'), codes(unpackedResult).join())
  const accepted = await examine(changed, {
    trust,
    accept: ['kit_altered', 'malformed_pdf', 'checksum_mismatch'],
  })
  assert.deepEqual(codes(accepted), [])
})

test('a kit that names an issuer whose keys are known, but is signed with another key, is damage', async () => {
  const forged = await sampleIssuer('https://own.example').seal({ 'a.txt': 'a' })
  assert.deepEqual(codes(await examine({ 'q1.zip': forged }, { trust })), ['kit_forged q1.zip'])
})

test('a kit whose key was revoked is damage', async () => {
  const kid = own.keySet.keys[0]?.kid ?? ''
  const revoked = [{ kid, revoked_at: '2026-05-05T12:00:00.000Z' }]
  const known = { ...NO_TRUST, keySets: [{ ...own.keySet, keys: [], revoked }] }
  const clean = await own.seal({ 'a.txt': 'a' })
  assert.deepEqual(codes(await examine({ 'q1.zip': clean }, { trust: known })), ['kit_key_revoked q1.zip'])
})

test('an unpacked kit is verified as a folder of any name: loose, in a ZIP, and in a ZIP in a ZIP', async () => {
  const loose = await unpacked(kit, 'evidence/last quarter')
  assert.deepEqual(noticed(await examine(loose, { trust })), ['notice kit_verified evidence/last quarter'])
  const zip = zipOf(await unpacked(kit, 'old'))
  assert.deepEqual(noticed(await examine({ 'all.zip': zip }, { trust })), ['notice kit_verified all.zip/old'])
  const outer = zipOf({ 'inner.zip': zip, 'a.txt': 'a' })
  assert.deepEqual(noticed(await examine({ 'all.zip': outer }, { trust })), [
    'notice kit_verified all.zip/inner.zip/old',
  ])
})

test('danger in a kit blocks, even if the kit is verified', async () => {
  const infected = await own.seal({ 'a.txt': eicarString() })
  assert.match(codes(await examine({ 'q1.zip': infected }, { trust })).join(), /test_virus q1\.zip\/kit_/)
})

test('kits in kits in kits are verified on each level, and do not count as archives', async () => {
  const archive = zipOf({ 'b.zip': zipOf({ 'c.txt': 'c' }) })
  const first = await own.seal({ 'a.zip': archive })
  const second = await other.seal({ 'first.zip': first })
  const third = await own.seal({ 'second.zip': second })
  const result = await examine({ 'third.zip': third }, { trust })
  assert.deepEqual(
    noticed(result).map((line) => line.replaceAll(/kit_[\w-]{27}/g, 'KIT')),
    [
      'notice kit_verified third.zip',
      'notice kit_verified third.zip/KIT/data/second.zip',
      'notice kit_verified third.zip/KIT/data/second.zip/KIT/data/first.zip',
    ],
  )
})

test('kits are followed to a bounded depth', async () => {
  let zip = await own.seal({ 'a.txt': 'a' })
  for (let level = 0; level < 12; level++) zip = await own.seal({ 'k.zip': zip })
  const result = await examine({ 'k.zip': zip }, { trust })
  assert.match(codes(result).join(), /^nested_too_deep /)
})

test('a folder that only has files named like those of a kit is not a kit', async () => {
  const files = { 'app/manifest.json': '{}', 'app/receipt.json': '{}' }
  assert.deepEqual(noticed(await examine(files, { trust })), [])
})
