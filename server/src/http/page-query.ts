import { Type } from 'typebox'
import { Refusal } from '../refusals.ts'
import { allProblems } from './all-problems.ts'

/** Which part of a list is asked for. Rows have growing numbers, so that a page is the same however many are added. */
export interface Page {
  readonly list: PagedList
  /** Only rows with a lower number. */
  readonly before: number
  readonly limit: number
}

/** Lists have numbers of their own: a cursor of one means nothing in another. */
export type PagedList = 'submissions' | 'credits' | 'audit'

const MOST = 100
const FALLBACK = 50

export const PageQuery = Type.Object({
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST, default: FALLBACK })),
})

export function readPage(list: PagedList, query: unknown): Page {
  const given = query as Readonly<Record<string, unknown>>
  const problems = Object.keys(given)
    .filter((name) => name !== 'cursor' && name !== 'limit')
    .map((name) => `there is no parameter ${JSON.stringify(name.slice(0, 100))}`)
  const limit = given['limit'] === undefined ? FALLBACK : wholeNumber(given['limit'])
  if (limit === undefined || limit < 1 || limit > MOST) problems.push(`limit must be 1 to ${MOST}`)
  const before = given['cursor'] === undefined ? Number.MAX_SAFE_INTEGER : readCursor(list, given['cursor'])
  if (before === undefined) problems.push('cursor must be the next_cursor of another page of this list')
  if (problems.length > 0 || limit === undefined || before === undefined) {
    throw new Refusal('query_invalid', allProblems(problems))
  }
  return { list, before, limit }
}

/** `rows` is asked for with one more than the limit: whether there is a next page is known without a count. */
export function cut<Row extends { readonly sequence: number }>(
  rows: readonly Row[],
  page: Page,
): { readonly shown: readonly Row[]; readonly next: string | null } {
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return { shown, next: rows.length > page.limit && last !== undefined ? nextCursor(page, last) : null }
}

/** For the page that goes on behind this row. */
export const nextCursor = ({ list }: Page, last: { readonly sequence: number }): string =>
  cursorOf(list, last.sequence)

export const cursorOf = (list: PagedList, sequence: number): string =>
  Buffer.from(`${list} before:${sequence}`).toString('base64url')

function readCursor(list: PagedList, text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const sequence = wholeNumber(Buffer.from(text, 'base64url').toString().split(':')[1])
  // The decoder passes over what it does not know.
  return sequence !== undefined && cursorOf(list, sequence) === text ? sequence : undefined
}

const wholeNumber = (text: unknown): number | undefined =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined
