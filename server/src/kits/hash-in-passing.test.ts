import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { hashInPassing, hashRange } from './hash-in-passing.ts'
import type { KitZip } from './kit-zip.ts'

const CONTENT = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))
const SHA256 = createHash('sha256').update(CONTENT).digest('hex')

/** An archive that counts the bytes read from it. */
function archive(): KitZip & { bytesRead: number } {
  const read = async function* (start: number, end: number): AsyncGenerator<Uint8Array> {
    self.bytesRead += end - start
    yield new Uint8Array(CONTENT.subarray(start, end))
  }
  const self = { sizeBytes: CONTENT.length, etag: '""', bytesRead: 0, read, readChecked: read }
  return self
}

test('an archive that is read in order is hashed without another read', async () => {
  const zip = archive()
  const { access, hash } = hashInPassing(zip)
  for (let at = 0; at < CONTENT.length; at += 100) await access.read(at, 100)
  assert.equal((await hash()).digest('hex'), SHA256)
  assert.equal(zip.bytesRead, CONTENT.length)
})

test('the hash is right in whatever order the archive is read', async () => {
  const orders = [
    [],
    [[900, 100]],
    [
      [900, 100],
      [0, 300],
      [200, 300],
      [0, 50],
      [600, 100],
    ],
    [
      [0, 1000],
      [0, 1000],
    ],
  ]
  for (const order of orders) {
    for (const hashedBytes of [CONTENT.length, 250, 0]) {
      const { access, hash } = hashInPassing(archive(), hashedBytes)
      for (const [at = 0, length = 0] of order) await access.read(at, length)
      const rest = hashRange(await hash(), archive(), hashedBytes, CONTENT.length)
      assert.equal((await rest).digest('hex'), SHA256, JSON.stringify([order, hashedBytes]))
    }
  }
})
