import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { unzlibSync } from 'fflate'
import { binderInput, evidence, textOf, missingTool } from '../../test/binder-fixture.ts'
import { buildInventory } from '../build-inventory.ts'
import { binderMaker } from '../make-binder.ts'
import { chooseImages } from './choose-images.ts'
import { jpegImage } from './jpeg-image.ts'
import { pngThumbnail } from './png-thumbnail.ts'
import { jpeg, png } from '../../test/image-samples.ts'

const { make: makeBinder } = binderMaker()

const noText = await missingTool('pdftotext')
if (noText !== false) console.log(`skipped: ${noText}`)

test('PNGs of every colour type are decoded correctly', () => {
  const red = [255, 0, 0]
  const kinds = [
    { colourType: 2, bitDepth: 8, rows: [[0, ...red, ...red]], expected: red },
    { colourType: 2, bitDepth: 16, rows: [[0, 255, 9, 0, 9, 0, 9, 255, 9, 0, 9, 0, 9]], expected: red },
    { colourType: 6, bitDepth: 8, rows: [[0, ...red, 255, ...red, 255]], expected: red },
    { colourType: 6, bitDepth: 8, rows: [[0, ...red, 0, ...red, 0]], expected: [255, 255, 255] },
    { colourType: 3, bitDepth: 1, rows: [[0, 0b11000000]], palette: [0, 0, 0, ...red], expected: red },
    { colourType: 0, bitDepth: 4, rows: [[0, 0x88]], expected: [136, 136, 136] },
    { colourType: 4, bitDepth: 8, rows: [[0, 100, 255, 100, 255]], expected: [100, 100, 100] },
    // The filters Sub, Up, Average and Paeth.
    { colourType: 0, bitDepth: 8, rows: [[1, 50, 0]], expected: [50, 50, 50] },
    {
      colourType: 0,
      bitDepth: 8,
      rows: [
        [0, 9, 9],
        [2, 0, 0],
      ],
      expected: [9, 9, 9],
    },
    {
      colourType: 0,
      bitDepth: 8,
      rows: [
        [0, 9, 9],
        [3, 5, 0],
      ],
      expected: [9, 9, 9],
    },
    {
      colourType: 0,
      bitDepth: 8,
      rows: [
        [0, 9, 9],
        [4, 0, 0],
      ],
      expected: [9, 9, 9],
    },
  ]
  for (const { expected, rows, ...kind } of kinds) {
    const image = pngThumbnail(
      png({ ...kind, width: 2, height: rows.length, raw: Uint8Array.from(rows.flat()) }),
    )
    const pixels = [...unzlibSync(image.data)]
    assert.deepEqual(
      pixels,
      Array.from({ length: rows.length * 2 }, () => expected).flat(),
      JSON.stringify(kind),
    )
  }
})

test('a large PNG is scaled down by averaging', () => {
  const [width, height] = [1440, 720]
  const raw = new Uint8Array(height * (width + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) raw[y * (width + 1) + 1 + x] = x % 2 === 0 ? 100 : 200
  }
  const image = pngThumbnail(png({ width, height, raw }))
  assert.deepEqual([image.width, image.height], [360, 180])
  assert.ok(unzlibSync(image.data).every((value) => value === 150))
})

test('JPEG metadata does not get into the binder', () => {
  const { image, orientation } = jpegImage(jpeg({ orientation: 6, comment: 'GPS 52.5200 N' }))
  const kept = Buffer.from(image.data).toString('latin1')
  assert.equal(orientation, 6)
  assert.deepEqual([image.width, image.height, image.colours], [3, 2, 'gray'])
  for (const hidden of ['GPS', 'Exif', 'behind the end']) assert.ok(!kept.includes(hidden), hidden)
  assert.ok(kept.endsWith('\xff\xd9'))
})

const BROKEN: Readonly<Record<string, Uint8Array>> = {
  empty: new Uint8Array(0),
  'not a picture': Buffer.from('MZ this is no picture at all'),
  'PNG of four billion pixels': png({ width: 65535, height: 65535, raw: new Uint8Array(9) }),
  'PNG without size': png({ width: 0, height: 1, raw: new Uint8Array(9) }),
  'PNG with fewer rows than it says': png({ width: 9, height: 9, raw: new Uint8Array(9) }),
  'PNG with more rows than it says': png({ width: 1, height: 1, raw: new Uint8Array(50_000_000) }),
  'PNG with an unknown filter': png({ width: 1, height: 1, raw: Uint8Array.of(9, 0) }),
  'PNG that is interlaced': png({ width: 1, height: 1, raw: new Uint8Array(2), interlace: 1 }),
  'PNG that is cut off': png({ width: 64, height: 64, raw: new Uint8Array(64 * 65) }).subarray(0, 60),
  'JPEG of nothing': Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
  'JPEG whose segment runs out of the file': Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0xff, 0xff, 0, 0]),
  'JPEG that is cut off': jpeg({ orientation: 1, comment: '' }).subarray(0, 30),
}

for (const [what, bytes] of Object.entries(BROKEN)) {
  test(`a damaged image is shown as a placeholder: ${what}`, async () => {
    const { folders } = buildInventory([
      evidence('data/a.png', 'image/png'),
      evidence('data/a.jpg', 'image/jpeg'),
    ])
    const { chosen } = await chooseImages(folders, async () => bytes)
    assert.deepEqual(
      chosen.map(({ preview }) => preview),
      [undefined, undefined],
    )
  })
}

test('no damaged image makes the binder fail', async () => {
  const { folders } = buildInventory([
    evidence('data/a.png', 'image/png'),
    evidence('data/a.jpg', 'image/jpeg'),
  ])
  const good = [png({ width: 8, height: 8, raw: new Uint8Array(72) }), jpeg({ orientation: 3, comment: 'x' })]
  let seed = 1
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return (seed >>> 8) % below
  }
  for (let round = 0; round < 500; round++) {
    const bytes = Uint8Array.from(good[round % 2] ?? [])
    for (let change = 0; change < 3; change++) bytes[random(bytes.length)] = random(256)
    await assert.doesNotReject(chooseImages(folders, async () => bytes.subarray(0, random(bytes.length * 2))))
  }
})

test('only a few small images are included, the rest is counted', async () => {
  const small = Array.from({ length: 30 }, (_, index) => evidence(`data/${index}.png`, 'image/png'))
  const large = evidence('data/large.png', 'image/png', 3_000_000)
  const read: string[] = []
  const { chosen, leftOut } = await chooseImages(buildInventory([...small, large]).folders, async (path) => {
    read.push(path)
    return undefined
  })
  assert.equal(chosen.length, 24)
  assert.equal(leftOut, 7)
  assert.ok(!read.includes('data/large.png'))
})

test('images have their number and name, damaged ones a placeholder', { skip: noText }, async () => {
  const files = ['data/screen.png', 'data/photo.jpg', 'data/broken.png'].map((name) =>
    evidence(name, name.endsWith('png') ? 'image/png' : 'image/jpeg'),
  )
  const text = await textOf(await makeBinder(binderInput({ files, images })))
  const page = text.split('\f').find((one) => /^Images$/m.test(one)) ?? ''
  assert.match(page, /1 +broken\.png +2 +photo\.jpg +3 +screen\.png/)
  assert.equal(page.match(/No preview/g)?.length, 1)
})

async function images(path: string): Promise<Uint8Array> {
  if (path === 'data/screen.png') return png({ width: 8, height: 8, raw: new Uint8Array(72) })
  return path === 'data/photo.jpg' ? jpeg({ orientation: 6, comment: '' }) : deflateSync('broken')
}
