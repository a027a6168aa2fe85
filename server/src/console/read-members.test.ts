import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelProblem } from '../http/label.ts'
import { line } from './read-members.ts'

test('a name in the console is one line by the same rule, in the same words, as a label', () => {
  for (const separator of ['\n', '\u0000', '\u0085', '\u2028', '\u2029'])
    assert.deepEqual(line(200)(`a${separator}b`), { problem: labelProblem(`a${separator}b`) })
  assert.deepEqual(line(200)(' بِ 日本 👩‍👧 '), { value: 'بِ 日本 👩‍👧' })
})
