import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { nodeHost } from '../../node/node-host.ts'
import { webHost } from '../web-host.ts'

const CONTENT = randomBytes(300_000)
const DEFLATED = deflateRawSync(CONTENT)

async function* pieces(bytes: Uint8Array, onReleased = () => {}): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000)
  } finally {
    onReleased()
  }
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield DEFLATED.subarray(0, 50_000)
  throw new Error('the disk is gone')
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const bytes of stream) all.push(bytes)
  return Buffer.concat(all)
}

for (const [where, { inflateStream }] of [
  ['in a browser', webHost],
  ['in Node.js', nodeHost],
] as const) {
  test(`${where}, data inflates to its content`, async () => {
    assert.deepEqual(await collect(inflateStream(pieces(DEFLATED), CONTENT.length)), CONTENT)
  })

  test(`${where}, a source that fails midway rejects with its own error`, { timeout: 60_000 }, async () => {
    await assert.rejects(collect(inflateStream(failing(), CONTENT.length)), { message: 'the disk is gone' })
  })

  test(`${where}, a consumer that stops early releases the source`, { timeout: 60_000 }, async () => {
    let released = false
    const stream = inflateStream(
      pieces(DEFLATED, () => (released = true)),
      CONTENT.length,
    )
    for await (const bytes of stream) if (bytes.length > 0) break
    assert.equal(released, true)
  })

  for (const [what, bytes, sizeBytes] of [
    ['is corrupt', DEFLATED.with(5, DEFLATED[5]! ^ 255).with(0, 255), CONTENT.length],
    ['is cut short', DEFLATED.subarray(0, -10), CONTENT.length],
    ['is followed by other bytes', Buffer.concat([DEFLATED, Buffer.from('more')]), CONTENT.length],
    ['inflates to more than its stated size', DEFLATED, CONTENT.length - 1],
    ['inflates to less than its stated size', DEFLATED, CONTENT.length + 1],
  ] as const) {
    test(
      `${where}, data that ${what} is rejected, and the source is released`,
      { timeout: 60_000 },
      async () => {
        let released = false
        const stream = inflateStream(
          pieces(bytes, () => (released = true)),
          sizeBytes,
        )
        await assert.rejects(collect(stream), { name: 'ZipProblem' })
        assert.equal(released, true)
      },
    )
  }
}
