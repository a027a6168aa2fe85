import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockerTable } from './findings-text.ts'

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
    '  empty_file        a\\u001b[2J.txt  The file is empty: it holds no bytes, so it is evidence of nothing.',
    '    → Leave it out.',
    '  empty_submission  (all files)  Nothing came.',
    '    → Send something.',
  ])
})

test('equal findings are one row with their number and the first files', () => {
  const [empty] = blockers
  assert.ok(empty)
  const many = Array.from({ length: 150 }, (_, index) => ({ ...empty, path: `${index}\u0007.txt` }))
  const rows = table({}, [...many, { ...empty, message: 'Another message.', path: 'x' }])
  assert.equal(rows.length, 5)
  assert.match(rows[0] ?? '', /empty_file {2}150 files {2}The file is empty/)
  assert.equal(
    rows[2]?.trim(),
    '0\\u0007.txt, 1\\u0007.txt, 2\\u0007.txt, 3\\u0007.txt, 4\\u0007.txt and 145 more',
  )
  assert.match(rows[3] ?? '', /empty_file {2}x {2}Another/)
})

const secret = (line: number, path = `${line}\u0007.env`, remedy = 'Remove it.') => ({
  code: 'possible_secret',
  path,
  message: `The file may contain a secret. Line ${line}: password=…`,
  remedy,
})

test('findings of one rule are one row: its text once, then the detail of each file, and how many are left out', () => {
  const many = Array.from({ length: 40 }, (_, line) => secret(line))
  const rows = table({}, [...many, secret(0, '50.env')]).map((line) => line.trim())
  assert.deepEqual(rows.slice(0, 3), [
    'possible_secret  41 files  The file may contain a secret.',
    '→ Remove it.',
    '0\\u0007.env, 50.env: Line 0: password=…',
  ])
  assert.deepEqual(rows.slice(-2), ['9\\u0007.env: Line 9: password=…', 'and 30 more; --json lists all'])
  assert.equal(rows.length, 13)
  const inOneFile = table({}, [secret(0, 'a'), secret(1, 'a')])
  assert.deepEqual(
    inOneFile.map((line) => line.trim()),
    [
      'possible_secret  a  The file may contain a secret.',
      '→ Remove it.',
      'Line 0: password=…',
      'Line 1: password=…',
    ],
  )
  const otherMessage = { ...secret(2), message: 'Another rule.' }
  assert.equal(table({}, [secret(0), secret(1, 'b', 'Keep it.'), otherMessage]).length, 6)
})
