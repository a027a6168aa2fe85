import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockerTable } from './blocker-table.ts'

const blockers = [
  {
    code: 'empty_file',
    path: 'a\u001b[2J.txt',
    message: 'The file is empty: it holds no bytes, so it is evidence of nothing.',
    remedy: 'Leave it out.',
  },
  { code: 'empty_submission', path: null, message: 'Nothing came.', remedy: 'Send something.' },
]
const output = (tty: object) => ({ write: () => true, ...tty })
const table = (tty: object, rows = blockers): readonly string[] =>
  blockerTable(rows, { env: { NO_COLOR: '1' }, stdout: output(tty), stderr: output({}) })

test('each blocker has a row with its fix below, and file names are escaped', () => {
  assert.deepEqual(table({}), [
    '  CODE              FILE            PROBLEM AND FIX',
    '  empty_file        a\\u001b[2J.txt  The file is empty: it holds no bytes, so it is evidence of nothing.',
    '                                    → Leave it out.',
    '  empty_submission  (all files)     Nothing came.',
    '                                    → Send something.',
  ])
})

test('on a terminal, text wraps between words', () => {
  const narrow = table({ isTTY: true, columns: 80 })
  assert.ok(
    narrow.every((line) => line.length <= 80),
    narrow.join('\n'),
  )
  assert.equal(narrow.length, 6)
})

test('equal findings are one row with their number and the first files', () => {
  const [empty] = blockers
  assert.ok(empty)
  const many = Array.from({ length: 150 }, (_, index) => ({ ...empty, path: `${index}\u0007.txt` }))
  const rows = table({}, [...many, { ...empty, message: 'Another message.', path: 'x' }])
  assert.equal(rows.length, 6)
  assert.match(rows[1] ?? '', /empty_file {2}150 files {2}The file is empty/)
  assert.equal(
    rows[3]?.trim(),
    '0\\u0007.txt, 1\\u0007.txt, 2\\u0007.txt, 3\\u0007.txt, 4\\u0007.txt and 145 more',
  )
  assert.match(rows[4] ?? '', /empty_file {2}x {10}Another/)
})
