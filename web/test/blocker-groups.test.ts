import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grouped, isCut, listed } from '../src/console/blocker-groups.ts'
import type { Blocker } from '../src/console/types.ts'

const empty = (path: string): Blocker => ({
  code: 'empty_file',
  path,
  message: 'The file is empty.',
  remedy: 'Leave it out.',
})
const program = { code: 'executable_content', path: 'b.exe', message: 'A program.', remedy: 'Leave it out.' }
const whole = { code: 'more_blockers', path: null, message: '9 more were found.', remedy: 'Mend these.' }

test('blockers in the same words are one, with every path in its order, and the order of the first is kept', () => {
  const groups = grouped([empty('a'), program, empty('c'), empty('a/b'), whole])
  assert.deepEqual(
    groups.map(({ code, paths }) => [code, paths]),
    [
      ['empty_file', ['a', 'c', 'a/b']],
      ['executable_content', ['b.exe']],
      ['more_blockers', []],
    ],
  )
})

test('the word that there are more blockers is not counted as one', () => {
  const some = [empty('a'), empty('b')]
  assert.deepEqual([listed(some), isCut(some)], [2, false])
  assert.deepEqual([listed([...some, whole]), isCut([...some, whole])], [2, true])
})

test('what is found in other words, or mended otherwise, stays apart', () => {
  const one = empty('a')
  assert.equal(
    grouped([one, { ...one, message: 'It is 0 bytes.' }, { ...one, remedy: 'Fill it.' }]).length,
    3,
  )
})
