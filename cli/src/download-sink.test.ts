import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { blobSink } from '@kitseal/client'
import { checkedSink } from './download-kit.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('a deliverable is saved if it has the listed SHA-256, or if none is listed', async () => {
  for (const listed of [sha256('content'), null]) {
    const sink = checkedSink(blobSink(), 'binder.pdf', listed)
    await sink.write(bytes('con'))
    await sink.write(bytes('tent'))
    assert.equal(await (await sink.commit()).text(), 'content')
  }
})

test('a deliverable with another SHA-256 is not saved', async () => {
  const sink = checkedSink(blobSink(), 'binder.pdf', sha256('content'))
  await sink.write(bytes('changed'))
  assert.throws(
    () => sink.commit(),
    /binder\.pdf was not saved: its SHA-256 is [0-9a-f]{64}, the service lists/,
  )
})

test('a download that restarts is hashed from its start', async () => {
  const sink = checkedSink(blobSink(), 'binder.pdf', sha256('content'))
  await sink.write(bytes('old'))
  await sink.reset()
  await sink.write(bytes('content'))
  assert.equal(await (await sink.commit()).text(), 'content')
})
