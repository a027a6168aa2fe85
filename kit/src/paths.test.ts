import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { comparePaths, pathCollisions, pathProblem } from './paths.ts'

const forbidden: readonly (readonly [path: string, why: RegExp])[] = [
  ['', /empty/],
  ['/etc/passwd', /absolute/],
  ['../x', /"\.\."/],
  ['a/../b', /"\.\."/],
  ['./a', /"\."/],
  ['a//b', /empty segment/],
  ['a/', /empty segment/],
  ['a\\b', /backslash/],
  ['a\nb', /control/],
  ['a\u0085b', /control/],
  ['a\u007fb', /control/],
  ['C:/x', /drive/],
  ['data/c:x', /drive/],
  ['data/a.', /dot or a space/],
  ['data/a /b', /dot or a space/],
  ['data/NUL', /device/],
  ['data/con.txt', /device/],
  ['data/con.a\u2028b', /device/],
  ['data/LPT1.tar.gz', /device/],
  ['data/com¹', /device/],
  ['data/e\u0301', /normalization/],
  ['data/\u{105d2}\u0307', /not every system/],
  ['data/\u0378', /not every system/],
  ['a'.repeat(256), /255/],
  ['ü'.repeat(128), /255/],
  [`${'a'.repeat(200)}/`.repeat(6) + 'a', /1,024/],
  ['a\ud800', /surrogate/],
]

for (const [path, why] of forbidden) {
  test(`the path ${JSON.stringify(path.slice(0, 20))} is rejected`, () =>
    assert.match(pathProblem(path) ?? '', why))
}

test('ordinary names in any script are accepted', () => {
  const fine = [
    'a',
    'data/über uns.pdf',
    'data/文件.txt',
    'a'.repeat(255),
    'data/.hidden',
    'data/console.txt',
    'data/100%.txt',
    'data/ab:c',
    'data/😀',
  ]
  for (const path of fine) assert.equal(pathProblem(path), undefined, path)
})

test('paths are ordered by their UTF-8 bytes', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(comparePaths(a, b)), Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))))
    }),
    { numRuns: 2000 },
  )
  assert.ok(comparePaths('\ufb33', '\u{1f600}') < 0)
})

test('paths collide if they differ only in case or normalization, or if a file is also a folder', () => {
  assert.equal(pathCollisions(['a/b', 'A/B']).length, 1)
  assert.equal(pathCollisions(['Ä', 'ä']).length, 1)
  assert.equal(pathCollisions(['e\u0301', '\u00e9']).length, 1)
  assert.equal(pathCollisions(['data/a', 'data/A/b']).length, 1)
  assert.equal(pathCollisions(['a', 'a-b', 'a/b', 'a/c', 'b', 'b/b/b']).length, 2)
  assert.deepEqual(pathCollisions(['data/a', 'data/ab', 'data/b/c', 'data/b/d']), [])
})

test('names full of slashes are checked in linear time', () => {
  const startCpu = process.cpuUsage()
  const names = Array.from({ length: 500 }, (_, index) => `${index}/${'a/'.repeat(32_000)}`)
  assert.deepEqual(pathCollisions(names), [])
  const shorter = Array.from({ length: 4_000 }, (_, index) => `${index}/${'a/'.repeat(500)}x`)
  assert.deepEqual(pathCollisions(shorter), [])
  assert.ok(process.cpuUsage(startCpu).user < 4_000_000, 'microseconds of CPU time')
})
