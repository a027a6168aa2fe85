// docs/decisions/0330
import { type Static, Type } from 'typebox'
import { problem } from './schema-problems.ts'
import type { ExtraCheck } from './validate-request.ts'

/** Which part of a list to return. Rows are numbered, so that new rows do not shift pages. */
export interface Page {
  readonly list: PagedList
  /** Only rows with a lower number. */
  readonly before: number
  readonly limit: number
}

/** Each list has its own numbers, so a cursor of one list is invalid in another. */
export type PagedList =
  | 'submissions'
  | `submissions by ${string}`
  | 'requests'
  | 'credits'
  | 'audit'
  | 'audit, oldest first'
  | 'events'
  | 'shares'
  | 'series'
  | 'kits of a series'
  | 'accesses'
  | 'attempts'

const DEFAULT_LIMIT = 50

export const PageQuery = Type.Object(
  {
    cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_LIMIT })),
  },
  { additionalProperties: false },
)
export type PageQuery = Static<typeof PageQuery>

/** For `validateRequest`: rejects a cursor of another list. */
export const checkCursor =
  (list: PagedList): ExtraCheck =>
  ({ cursor }) =>
    typeof cursor === 'string' && readCursor(list, cursor) === undefined
      ? [problem('cursor', 'must be the next_cursor of another page of this list')]
      : []

/** The page that a validated query asks for. */
export const pageOf = (list: PagedList, { cursor, limit = DEFAULT_LIMIT }: PageQuery): Page => ({
  list,
  before: readCursor(list, cursor) ?? Number.MAX_SAFE_INTEGER,
  limit,
})

/** Query `limit + 1` rows: the extra row shows whether there is a next page. */
export function cut<Row extends { readonly sequence: number }>(
  rows: readonly Row[],
  page: Page,
): { readonly shown: readonly Row[]; readonly next: string | null } {
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  return { shown, next: rows.length > page.limit && last !== undefined ? nextCursor(page, last) : null }
}

/** The cursor of the page that starts after this row. */
export const nextCursor = ({ list }: Page, last: { readonly sequence: number }): string =>
  cursorOf(list, last.sequence)

export const cursorOf = (list: PagedList, sequence: number): string =>
  Buffer.from(`${list} before:${sequence}`).toString('base64url')

/** The number in a cursor. Undefined if it is not one of this list. */
export function readCursor(list: PagedList, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const digits = /:(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString())?.[1]
  // Buffer ignores characters outside the alphabet, so the cursor is encoded again and compared.
  return digits !== undefined && cursorOf(list, Number(digits)) === text ? Number(digits) : undefined
}
