import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bounds } from '../database/unit.ts'
import { Refusal } from '../refusals.ts'
import { checkCursor, cursorOf, type PagedList, pageOf, PageQuery } from './page-query.ts'
import { queryValidator } from './validate-request.ts'

const readPage = (list: PagedList, query: object): Bounds =>
  pageOf(list, queryValidator(PageQuery, checkCursor(list))(query) as PageQuery)

const refused = (text: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.code === 'query_invalid' && text.test(error.message)

test('a cursor is valid in its own list only', () => {
  const next = cursorOf('audit', 7)
  assert.deepEqual(readPage('audit', { cursor: next }), { before: 7, limit: 50 })
  for (const list of ['credits', 'submissions'] as const)
    assert.throws(() => readPage(list, { cursor: next }), refused(/cursor must be/))
})

test('a modified cursor is rejected', () => {
  const cursor = cursorOf('credits', 12)
  for (const changed of [
    `${cursor}=`,
    `${cursor}!!`,
    ` ${cursor}`,
    cursor.slice(0, -1),
    '',
    [cursor, cursor],
  ])
    assert.throws(() => readPage('credits', { cursor: changed }), refused(/cursor must be/))
})

test('at most 50 problems are listed', () => {
  const query = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, '1']))
  assert.throws(() => readPage('audit', query), refused(/^(?=.*"p49")(?!.*"p50").*and 950 more\.$/))
})
