import { type Static, type TSchema, Type } from 'typebox'
import { BOUNDARY } from '@kitseal/kit/internal'
import type { Bounds } from '../database/unit.ts'
import { problem, type ExtraCheck } from './validate-request.ts'
import { Boundary, Closed, NullableString } from './schema-parts.ts'

/** Each list has its own numbers, so a cursor of one list is invalid in another. */
export type PagedList =
  | 'submissions'
  | `submissions by ${string}`
  | 'requests'
  | 'programs'
  | 'periods'
  | 'credits'
  | 'audit'
  | 'audit, oldest first'
  | 'events'
  | 'shares'
  | 'comments'
  | 'reviews'
  | 'series'
  | 'kits of a series'
  | 'accesses'
  | 'attempts'

const DEFAULT_LIMIT = 50

export const PageQuery = Closed({
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the previous page.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_LIMIT })),
})
export type PageQuery = Static<typeof PageQuery>

/** For `validateRequest`: rejects a cursor of another list. */
export const checkCursor =
  (list: PagedList): ExtraCheck =>
  ({ cursor }) =>
    typeof cursor === 'string' && readCursor(list, cursor) === undefined
      ? [problem('cursor', 'must be the next_cursor of another page of this list')]
      : []

/** The page that a validated query asks for. Rows are numbered, so that new rows do not shift pages. */
export const pageOf = (list: PagedList, { cursor, limit = DEFAULT_LIMIT }: PageQuery): Bounds => ({
  before: readCursor(list, cursor) ?? Number.MAX_SAFE_INTEGER,
  limit,
})

export const cursorOf = (list: PagedList, sequence: number): string =>
  Buffer.from(`${list} before:${sequence}`).toString('base64url')

/** The number in a cursor. Undefined if it is not one of this list. */
export function readCursor(list: PagedList, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const digits = /:(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString())?.[1]
  // Buffer ignores characters outside the alphabet, so the cursor is encoded again and compared.
  return digits !== undefined && cursorOf(list, Number(digits)) === text ? Number(digits) : undefined
}

/** The members of every list, for its schema. */
export const ListOf = <T extends TSchema>(item: T, description?: string) => ({
  data: Type.Array(item, description === undefined ? {} : { description }),
  next_cursor: NullableString('Send it as `cursor` to get the next page. Null on the last page.'),
  boundary: Boundary(),
})

/** The members of every list. Without a cursor, the list is complete. */
export const listResponse = <T>(data: readonly T[], next: string | null = null) => ({
  data: [...data],
  next_cursor: next,
  boundary: BOUNDARY,
})
