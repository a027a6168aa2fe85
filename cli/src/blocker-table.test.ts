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
const table = (tty: object): readonly string[] =>
  blockerTable(blockers, { env: { NO_COLOR: '1' }, stdout: output(tty), stderr: output({}) })

test('each blocker has a row, and what to do about it below; what a file is called is shown as text', () => {
  assert.deepEqual(table({}), [
    '  CODE              FILE            WHAT IS WRONG, AND WHAT TO DO',
    '  empty_file        a\\u001b[2J.txt  The file is empty: it holds no bytes, so it is evidence of nothing.',
    '                                    → Leave it out.',
    '  empty_submission  (all of it)     Nothing came.',
    '                                    → Send something.',
  ])
})

test('at a terminal, text is broken between words where the line ends', () => {
  const narrow = table({ isTTY: true, columns: 80 })
  assert.ok(
    narrow.every((line) => line.length <= 80),
    narrow.join('\n'),
  )
  assert.equal(narrow.length, 6)
})
