import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChosenFile } from '../src/upload/chosen-files.ts'
import { treeRows } from '../src/upload/file-tree.ts'
import { problemFiles } from '../src/upload/problem-files.ts'

const filesOf = (...names: readonly string[]): readonly ChosenFile[] =>
  names.map((name) => ({ name, file: new File(['12345'], name) }))

const blocker = (path: string | null) => ({ code: 'x', message: 'm', remedy: 'r', path })

const FILES = filesOf('a-b.txt', 'a/b/1.txt', 'a/b/2.txt', 'a/c.txt', 'b/b/3.txt', 'z.txt')

const shown = (closed: readonly string[], problems: ReadonlyMap<string, unknown> = new Map()) =>
  treeRows(FILES, new Set(closed), problems).map((row) =>
    row.is === 'folder'
      ? `${'  '.repeat(row.depth)}${row.name}/ ${row.files} ${row.bytes} ${row.problems}`
      : `${'  '.repeat(row.depth)}${row.name}`,
  )

test('files are shown below their folders, which count what is in them', () => {
  assert.deepEqual(shown([], new Map([['a/b/2.txt', true]])), [
    'a-b.txt',
    'a/ 3 15 1',
    '  b/ 2 10 1',
    '    1.txt',
    '    2.txt',
    '  c.txt',
    'b/ 1 5 0',
    '  b/ 1 5 0',
    '    3.txt',
    'z.txt',
  ])
})

test('a closed folder hides what is in it and still counts it', () => {
  assert.deepEqual(shown(['a/b', 'b']), [
    'a-b.txt',
    'a/ 3 15 0',
    '  b/ 2 10 0',
    '  c.txt',
    'b/ 1 5 0',
    'z.txt',
  ])
})

test('a problem belongs to the file that its path names or continues', () => {
  const files = filesOf('a.zip', 'a/b.txt', 'x\u202ey.txt', 'a.zipped')
  const found = problemFiles(files, [
    blocker('a.zip/inner/tool.exe'),
    blocker('a.zip:other'),
    blocker('a/b.txt'),
    blocker('a/other.txt'),
    blocker('x\\u202ey.txt'),
    blocker(null),
  ])
  assert.deepEqual(
    [...found].map(([name, blockers]) => [name, blockers.length]),
    [
      ['a.zip', 2],
      ['a/b.txt', 1],
      ['x\u202ey.txt', 1],
    ],
  )
})
