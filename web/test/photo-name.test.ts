import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photoName } from '../src/outside/request/photo-name.ts'

const AT = new Date(2026, 10, 8, 9, 5, 7)

test('a photo is named by the time it was taken, and keeps its ending', () => {
  assert.equal(photoName({ name: 'image.jpg', type: 'image/jpeg' }, AT, []), 'photo-2026-11-08-090507.jpg')
  assert.equal(photoName({ name: 'IMG.HEIC', type: '' }, AT, []), 'photo-2026-11-08-090507.heic')
  assert.equal(photoName({ name: 'blob', type: 'image/png' }, AT, []), 'photo-2026-11-08-090507.png')
})

test('two photos of one second have different names', () => {
  const first = photoName({ name: 'image.jpg', type: 'image/jpeg' }, AT, [])
  const second = photoName({ name: 'image.jpg', type: 'image/jpeg' }, AT, [first])
  assert.equal(second, 'photo-2026-11-08-090507-2.jpg')
  assert.equal(
    photoName({ name: 'image.jpg', type: '' }, AT, [first, second]),
    'photo-2026-11-08-090507-3.jpg',
  )
})
