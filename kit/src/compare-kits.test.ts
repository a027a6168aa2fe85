import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareKits } from './compare-kits.ts'
import type { Artifact } from './manifest.ts'

function manifestOf(files: Readonly<Record<string, string>>): { readonly artifacts: readonly Artifact[] } {
  return {
    artifacts: Object.entries(files).map(([path, content]) => ({
      path,
      sha256: content.padEnd(64, '0'),
      size_bytes: content.length,
    })),
  }
}

const reversed = (files: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).toReversed())

const paths = (files: readonly Artifact[]): readonly string[] => files.map(({ path }) => path)

test('files are added, removed, changed, moved or unchanged', () => {
  const older = manifestOf({ 'data/a': 'a', 'data/b': 'b', 'data/c': 'c', 'data/d': 'd' })
  const newer = manifestOf({ 'data/a': 'a', 'data/b': 'bb', 'data/e': 'c', 'data/f': 'f' })
  const { added, removed, changed, moved, unchanged } = compareKits(older, newer)
  assert.deepEqual(paths(added), ['data/f'])
  assert.deepEqual(paths(removed), ['data/d'])
  assert.deepEqual(
    changed.map(({ path, from, to }) => [path, from.size_bytes, to.size_bytes]),
    [['data/b', 1, 2]],
  )
  assert.deepEqual(moved, [{ from: 'data/c', to: 'data/e', sha256: 'c'.padEnd(64, '0'), size_bytes: 1 }])
  assert.equal(unchanged, 1)
})

test('of several files with the same content, each moves at most once', () => {
  const { added, removed, moved } = compareKits(
    manifestOf({ 'data/1': 'x', 'data/2': 'x' }),
    manifestOf({ 'data/3': 'x', 'data/4': 'x', 'data/5': 'x' }),
  )
  assert.deepEqual(
    moved.map(({ from, to }) => [from, to]),
    [
      ['data/1', 'data/3'],
      ['data/2', 'data/4'],
    ],
  )
  assert.deepEqual([paths(added), paths(removed)], [['data/5'], []])
  const fewer = compareKits(manifestOf({ 'data/a': 'x', 'data/b': 'x' }), manifestOf({ 'data/c': 'x' }))
  assert.deepEqual([fewer.moved.length, paths(fewer.removed), fewer.added], [1, ['data/b'], []])
})

test('of several candidates, one with the same name is taken before one in the same folder, whatever the order of the lists', () => {
  const older = { 'data/a/report': 'x', 'data/a/users': 'x', 'data/b/list': 'x' }
  const newer = { 'data/a/accounts': 'x', 'data/c/report': 'x', 'data/d/other': 'x' }
  for (const [before, after] of [
    [older, newer],
    [reversed(older), reversed(newer)],
  ] as const)
    assert.deepEqual(
      compareKits(manifestOf(before), manifestOf(after)).moved.map(({ from, to }) => [from, to]),
      [
        ['data/a/report', 'data/c/report'],
        ['data/a/users', 'data/a/accounts'],
        ['data/b/list', 'data/d/other'],
      ],
    )
})

test('a copy of a file that is still there is added, not moved', () => {
  const { added, moved } = compareKits(
    manifestOf({ 'data/a': 'x' }),
    manifestOf({ 'data/a': 'x', 'data/b': 'x' }),
  )
  assert.deepEqual([paths(added), moved], [['data/b'], []])
})

test('generated files are compared only on request', () => {
  const older = manifestOf({ 'binder.pdf': 'a', 'data/a': 'a' })
  const newer = manifestOf({ 'binder.pdf': 'b', 'data/a': 'a' })
  assert.equal(compareKits(older, newer).changed.length, 0)
  assert.equal(compareKits(older, newer, { allFiles: true }).changed.length, 1)
})
