import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewOf } from '../src/parts/preview/preview-content.ts'

const shown = (name: string, content: string | Uint8Array, sizeBytes?: number) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return previewOf(name, bytes, sizeBytes ?? bytes.length)
}

const text = (bytes: Uint8Array, sizeBytes = bytes.length) => {
  const preview = previewOf('a.txt', bytes, sizeBytes)
  return preview.is === 'text' ? preview.text : preview.is
}

test('markup and scripts are previewed as text, whatever the file is called', () => {
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const name of ['a.svg', 'a.html', 'a.png', 'a.xml'])
    assert.deepEqual(shown(name, script), { is: 'text', text: script, isCut: false })
})

test('only raster images are images, by content', () => {
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)
  assert.deepEqual(shown('renamed.txt', png), { is: 'image', mediaType: 'image/png' })
  assert.equal(shown('huge.png', png, 100_000_000).is, 'none')
  assert.equal(shown('program.png', Uint8Array.of(0x4d, 0x5a, 0x90, 0, 3)).is, 'none')
  assert.equal(shown('nothing.png', '').is, 'empty')
})

test('PDF files up to 50 MB are drawn, by content', () => {
  assert.equal(shown('renamed.txt', '%PDF-1.7\n').is, 'pdf')
  assert.equal(shown('huge.pdf', '%PDF-1.7\n', 60_000_000).is, 'large')
  assert.equal(shown('not-a.pdf', 'about %PDF-1.7').is, 'text')
})

test('HEIC images are images, which the browser may be unable to show', () => {
  const heic = new TextEncoder().encode('\0\0\0\u0018ftypheic\0\0\0\0')
  assert.deepEqual(shown('photo.jpg', heic), { is: 'image', mediaType: 'image/heic' })
  assert.equal(shown('film.heic', new TextEncoder().encode('\0\0\0\u0018ftypisom\0\0\0\0')).is, 'none')
})

test('direction marks in text are made visible', () => {
  const preview = shown('a.txt', 'safe \u202eexe.txt')
  assert.equal(preview.is === 'text' && preview.text, String.raw`safe \u202eexe.txt`)
})

test('text is read as UTF-8, UTF-16 or Windows-1252, also if its end is cut off', () => {
  assert.equal(text(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0xe4, 0)), 'aä')
  assert.equal(text(Uint8Array.of(0x61, 0xe4, 0x62)), 'aäb')
  assert.equal(text(Uint8Array.of(0x61, 0xc3), 3), 'a')
})

const rows = (content: string) => {
  const preview = shown('a.csv', content)
  return preview.is === 'table' ? preview.rows : preview.is
}

test('tables are read with the separators and quotes of spreadsheets', () => {
  assert.deepEqual(rows('a,b\r\n\r\n"x, ""y""\nz",2\r\n'), [
    ['a', 'b'],
    ['x, "y"\nz', '2'],
  ])
  assert.deepEqual(rows('a;b;\n1;2,5;\n'), [
    ['a', 'b', ''],
    ['1', '2,5', ''],
  ])
  assert.equal(rows('1\n'.repeat(300)).length, 200)
  assert.equal(rows(`${'a,'.repeat(100)}\n`)[0]?.length, 40)
  assert.deepEqual(rows('a,"open'), [['a', 'open']])
})

test('a cut table shows only complete rows', () => {
  assert.deepEqual(shown('a.csv', 'a,b\n1,2\n3,', 50), {
    is: 'table',
    rows: [
      ['a', 'b'],
      ['1', '2'],
    ],
    isCut: true,
  })
})
