// Only in test:all: takes all pictures of the docs again; pictures.test.ts has their texts
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { noBrowser } from '../../kit/embed/test/browser.ts'
import { builtPages } from './built-pages.ts'
import { type ShownText, steady, takePictures } from './take-pictures.ts'

const FILE = path.join(import.meta.dirname, '../../docs/pictures/texts.json')
/** Pixels. Days and quarters are not equally wide, and a line may begin elsewhere. */
const TOLERANCE = 12

/** What a picture does not show as it is now. */
function differences(recorded: readonly ShownText[], now: readonly ShownText[]): readonly string[] {
  const missing = recorded.filter(([text]) => !now.some(([other]) => other === text))
  const added = now.filter(([text]) => !recorded.some(([other]) => other === text))
  if (missing.length + added.length > 0 || recorded.length !== now.length)
    return [
      ...missing.map(([text]) => `gone: ${text}`),
      ...added.map(([text]) => `new: ${text}`),
      'other texts',
    ]
  return recorded.flatMap(([text, x, y], at) => {
    const [, nowX = 0, nowY = 0] = now[at] ?? []
    const isMoved = Math.abs(x - nowX) > TOLERANCE || Math.abs(y - nowY) > TOLERANCE
    return isMoved ? [`${text} was at ${x}, ${y} and is at ${nowX}, ${nowY}`] : []
  })
}

test('the pictures show the pages as they are (npm run pictures)', { skip: noBrowser }, async () => {
  await builtPages()
  const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, readonly ShownText[]>>
  const pictures = await takePictures()
  assert.deepEqual(
    pictures.map(({ name }) => name),
    Object.keys(recorded),
  )
  for (const { name, texts, light, dark } of pictures) {
    assert.deepEqual(differences(recorded[name] ?? [], texts), [], name)
    assert.notDeepEqual(light, dark, `${name} looks the same in both colour schemes`)
  }
})

test('a text that is gone, new or moved is noticed', () => {
  const picture: readonly ShownText[] = [
    ['Verify', 10, 10],
    ['Docs', 90, 10],
  ]
  assert.deepEqual(
    differences(picture, [
      ['Verify', 12, 10],
      ['Docs', 95, 4],
    ]),
    [],
  )
  assert.deepEqual(
    differences(picture, [
      ['Verify', 10, 10],
      ['Docs', 90, 40],
    ]),
    ['Docs was at 90, 10 and is at 90, 40'],
  )
  assert.deepEqual(differences(picture, [['Verify', 10, 10]]), ['gone: Docs', 'other texts'])
})

test('what differs from day to day is not compared, and nothing else is left out', () => {
  const [masked] = steady([
    'kit_1lf-x_Y of 2026-Q3 at localhost:80, due 19 Sept 2026, 10:22 UTC, in 0.2 s, 3 files',
    0,
    0,
  ])
  assert.equal(masked, '… of … at localhost:…, due …, in …, 3 files')
})
