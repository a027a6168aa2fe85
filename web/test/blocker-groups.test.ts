import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTruncated, countListed } from '../src/core/findings.ts'
import type { Blocker } from '../src/core/findings.ts'

const empty = (path: string): Blocker => ({
  code: 'empty_file',
  path,
  message: 'The file is empty.',
  remedy: 'Leave it out.',
})
const whole = { code: 'more_blockers', path: null, message: '9 more were found.', remedy: 'Mend these.' }

test('the entry for omitted blockers is not counted', () => {
  const some = [empty('a'), empty('b')]
  assert.deepEqual([countListed(some), isTruncated(some)], [2, false])
  assert.deepEqual([countListed([...some, whole]), isTruncated([...some, whole])], [2, true])
})
