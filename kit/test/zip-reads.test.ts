import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '../node/internal.ts'
import { NO_TRUST, openZip, verifyKit } from '../src/internal.ts'
import { makeKit, testSigner } from './make-kit.ts'

/** An archive in memory that counts reads. */
function counted(zip: Uint8Array) {
  const asked = { reads: 0, bytes: 0 }
  const read = (at: number, length: number): Uint8Array => {
    asked.reads += 1
    asked.bytes += length
    return zip.subarray(at, at + length)
  }
  return { asked, source: { sizeBytes: zip.length, read } }
}

test('reading one file of an archive does not read the files after it', async () => {
  const { zip, contents } = await makeKit({ 'a.bin': new Uint8Array(3_000_000) })
  const { asked, source } = counted(zip)
  const kit = await openZip(source, nodeHost)
  for (const path of ['bag-info.txt', 'manifest.json', 'receipt.json']) {
    const before = asked.bytes
    const size = contents.get(path)!.length
    assert.equal((await kit.read(path, 1_000_000)).length, size)
    assert.ok(asked.bytes - before < size + 500, `${path}: ${asked.bytes - before} of ${size} bytes`)
  }
})

test('verifying a kit reads its bytes about once', async () => {
  const { zip } = await makeKit({ 'a.bin': new Uint8Array(3_000_000), 'b.txt': 'b' })
  const { asked, source } = counted(zip)
  const trust = { ...NO_TRUST, kids: [testSigner().kid] }
  assert.equal((await verifyKit(await openZip(source, nodeHost), trust, nodeHost)).status, 'PASS')
  // In addition to the content: the directory, the end record, and the envelope, which is also read before hashing.
  assert.ok(asked.bytes < zip.length + 120_000, `${asked.bytes} of ${zip.length} bytes`)
})
