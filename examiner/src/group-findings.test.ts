import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstPathsText, groupFindings } from './group-findings.ts'

const empty = (path: string | null, more: object = {}) => ({
  code: 'empty_text',
  class: 'notice',
  path,
  message: 'The file is empty.',
  remedy: 'Nothing to do.',
  acknowledged: false,
  ...more,
})
const secret = empty('z.env', { code: 'possible_secret', class: 'secret', message: 'A secret.' })

test('findings that differ in their path alone are one group, in the order of the first', () => {
  const groups = groupFindings([secret, empty('a'), empty('b', { code: 'other' }), empty('c'), empty('a/b')])
  assert.deepEqual(
    groups.map(({ code, path, count, paths }) => [code, path, count, paths]),
    [
      ['possible_secret', 'z.env', 1, ['z.env']],
      ['empty_text', 'a', 3, ['a', 'c', 'a/b']],
      ['other', 'b', 1, ['b']],
    ],
  )
})

test('a difference in anything else keeps findings apart', () => {
  const different = [
    { class: 'damage' },
    { message: 'x' },
    { remedy: 'x' },
    { acknowledged: true },
    { code: 'x' },
  ]
  assert.equal(groupFindings([empty('a'), ...different.map((more) => empty('b', more))]).length, 6)
})

test('a finding about the whole submission has no paths', () => {
  assert.deepEqual(
    groupFindings([empty(null)]).map(({ count, paths }) => [count, paths]),
    [[1, []]],
  )
})

test('the first five paths are named, and all six if there are six', () => {
  const paths = Array.from({ length: 150 }, (_, index) => `${index}`)
  assert.equal(firstPathsText({ paths }), '0, 1, 2, 3, 4 and 145 more')
  assert.equal(firstPathsText({ paths: paths.slice(0, 6) }), '0, 1, 2, 3, 4, 5')
})
