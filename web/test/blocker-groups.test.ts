import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupBlockers, isTruncated, countListed } from '../src/console/blocker-groups.ts'
import type { Blocker } from '../src/console/blocker-groups.ts'

const empty = (path: string): Blocker => ({
  code: 'empty_file',
  path,
  message: 'The file is empty.',
  remedy: 'Leave it out.',
})
const program = { code: 'executable_content', path: 'b.exe', message: 'A program.', remedy: 'Leave it out.' }
const whole = { code: 'more_blockers', path: null, message: '9 more were found.', remedy: 'Mend these.' }

test('blockers with the same text are merged, with their paths in order', () => {
  const groups = groupBlockers([empty('a'), program, empty('c'), empty('a/b'), whole])
  assert.deepEqual(
    groups.map(({ code, paths }) => [code, paths]),
    [
      ['empty_file', ['a', 'c', 'a/b']],
      ['executable_content', ['b.exe']],
      ['more_blockers', []],
    ],
  )
})

test('the entry for omitted blockers is not counted', () => {
  const some = [empty('a'), empty('b')]
  assert.deepEqual([countListed(some), isTruncated(some)], [2, false])
  assert.deepEqual([countListed([...some, whole]), isTruncated([...some, whole])], [2, true])
})

test('blockers with different messages or remedies are not merged', () => {
  const one = empty('a')
  assert.equal(
    groupBlockers([one, { ...one, message: 'It is 0 bytes.' }, { ...one, remedy: 'Fill it.' }]).length,
    3,
  )
})
