import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { jpeg, png } from '../test/evidence-samples.ts'
import { examine, noticed } from '../test/examine.ts'

async function messages(name: string, content: Uint8Array): Promise<string> {
  const { blockers } = await examine({ [name]: content })
  return blockers.map(({ code, message }) => `${code}: ${message}`).join('\n')
}

/** A PNG chunk with its checksum. */
function chunk(type: string, data: readonly number[]): Uint8Array {
  const body = Buffer.from([...Buffer.from(type), ...data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

const START = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const END = chunk('IEND', [])
const header = (width: number, height: number): Uint8Array =>
  chunk('IHDR', [0, 0, 0, width, 0, 0, 0, height, 8, 0, 0, 0, 0])

test('a PNG with one changed bit in a critical chunk is rejected', async () => {
  assert.equal(await messages('a.png', png()), '')
  for (const at of [20, 41 + 2]) {
    const changed = Uint8Array.from(png())
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.match(await messages('a.png', changed), /^malformed_image: .* does not match its checksum\.$/)
  }
  const ancillary = Buffer.from(chunk('tEXt', [65, 0, 66]))
  ancillary[9] = 0x43
  assert.equal(
    await messages('a.png', Buffer.concat([png().subarray(0, 33), ancillary, png().subarray(33)])),
    '',
  )
})

test('a PNG without image data or with a size of 0 is rejected', async () => {
  assert.match(
    await messages('a.png', Buffer.concat([START, header(1, 1), END])),
    /It contains no image data\.$/,
  )
  for (const size of [header(0, 1), header(1, 0)])
    assert.match(
      await messages('a.png', Buffer.concat([START, size, chunk('IDAT', [0]), END])),
      /height is 0\.$/,
    )
})

test('a JPEG without a frame or with a width of 0 is rejected', async () => {
  const whole = Buffer.from(jpeg())
  const frameAt = whole.indexOf(Uint8Array.from([0xff, 0xc0]))
  assert.equal(await messages('a.jpg', whole), '')
  const narrow = Buffer.from(whole)
  narrow[frameAt + 8] = 0
  assert.match(await messages('a.jpg', narrow), /height is 0\.$/)
  const frameless = Buffer.concat([whole.subarray(0, frameAt), whole.subarray(frameAt + 13)])
  assert.match(await messages('a.jpg', frameless), /It contains no image data\.$/)
})

function number(value: number, bytes: number): Uint8Array {
  const room = Buffer.alloc(bytes)
  room.writeUIntLE(value, 0, Math.min(6, bytes))
  return room
}

/** One page in strips of 40 bytes, little-endian. */
function tiff(stripes: number, width = 8, big = false): Uint8Array {
  const [inline, lead] = big ? [8, 16] : [4, 8]
  const entry = (tag: number, count: number, value: number): Uint8Array =>
    Buffer.concat([number(tag, 2), number(4, 2), number(count, inline), number(value, inline)])
  const directoryBytes = (big ? 8 : 2) + 4 * (4 + 2 * inline) + inline
  const listsAt = lead + directoryBytes
  const isInline = stripes * 4 <= inline
  const dataAt = listsAt + (isInline ? 0 : stripes * 8)
  const places = Array.from({ length: stripes }, (_, index) => number(dataAt + index * 40, 4))
  const sizes = Array.from({ length: stripes }, () => number(40, 4))
  return Buffer.concat([
    Buffer.from('II'),
    big ? Buffer.concat([number(43, 2), number(8, 2), number(0, 2), number(16, 8)]) : number(42, 2),
    big ? Buffer.alloc(0) : number(8, 4),
    number(4, big ? 8 : 2),
    entry(256, 1, width),
    entry(257, 1, 5),
    entry(273, stripes, isInline ? dataAt : listsAt),
    entry(279, stripes, isInline ? 40 : listsAt + stripes * 4),
    number(0, inline),
    ...(isInline ? [] : [...places, ...sizes]),
    Buffer.alloc(stripes * 40, 1),
  ])
}

test('a TIFF that is truncated anywhere after its header is rejected', async () => {
  for (const whole of [tiff(1), tiff(3), tiff(1, 8, true), tiff(3, 8, true)]) {
    assert.equal(await messages('a.tif', whole), '')
    for (let end = 24; end < whole.length; end += 7)
      assert.match(await messages('a.tif', whole.subarray(0, end)), /^malformed_image: /, `${end} bytes`)
  }
  assert.match(await messages('a.tif', tiff(1, 0)), /height is 0\.$/)
})

test('a TIFF with overlapping directories is read to a limit only', async () => {
  const [pages, entries] = [1000, 5000]
  const bytes = Buffer.alloc(8 + pages * 16 + 2 + entries * 12 + 4)
  bytes.write('II*\0')
  bytes.writeUInt32LE(8, 4)
  for (let at = 8; at < 8 + pages * 16; at += 16) {
    bytes.writeUInt16LE(entries, at)
    bytes.writeUInt32LE(at + 16, at + 2 + entries * 12)
  }
  const { blockers, classificationReport } = await examine({ 'a.tif': bytes })
  assert.deepEqual(blockers, [])
  assert.match(JSON.stringify(classificationReport), /only the first \d{1,2} pages were checked/)
})

test('bytes between the segments of a JPEG are skipped, as decoders do; without an image it stays damaged', async () => {
  const whole = Buffer.from(jpeg())
  const at = 4 + whole.readUInt16BE(4)
  assert.equal(whole[at], 0xff)
  const put = (bytes: Uint8Array): Buffer => Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at)])
  const between = (...bytes: readonly number[]): Buffer => put(Buffer.from(bytes))
  const files = {
    'fill.jpg': between(0xff, 0xff, 0xff),
    'zeros.jpg': put(Buffer.alloc(300_000)),
    'text.jpg': between(1, 2, 3, 0xff, 0, 4),
    'restart.jpg': between(0xff, 0xd0),
  }
  assert.deepEqual(noticed(await examine(files)), [])
  const cut = {
    'cut.jpg': between(7, 7).subarray(0, at + 2),
    'bare.jpg': Buffer.concat([whole.subarray(0, at), Buffer.alloc(600_000)]),
  }
  assert.deepEqual(noticed(await examine(cut)), [
    'damage malformed_image bare.jpg',
    'damage malformed_image cut.jpg',
  ])
})
