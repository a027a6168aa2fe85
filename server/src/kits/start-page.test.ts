import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { comparing } from './start-page.ts'

const page = Buffer.from('the page that is in every kit')
const digestOf = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

test('only the bytes of the page get its hash: any other, shorter or longer ones get their own', async () => {
  const changed = Buffer.from(page)
  changed[20]! ^= 1
  for (const bytes of [
    page,
    changed,
    page.subarray(0, -1),
    Buffer.concat([page, Buffer.from('.')]),
    Buffer.alloc(0),
    page.subarray(5),
  ])
    for (const step of [1, 7, 1000]) {
      // So that a wrong answer shows.
      const hash = comparing({ bytes: page, digest: Buffer.from('known') })
      for (let at = 0; at < bytes.length; at += step) hash.update(bytes.subarray(at, at + step))
      const expected = bytes === page ? Buffer.from('known') : digestOf(bytes)
      assert.deepEqual(Buffer.from(await hash.digest()), Buffer.from(expected))
    }
})
