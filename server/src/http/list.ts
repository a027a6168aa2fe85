import { BOUNDARY } from '@kitseal/kit'
import { type TSchema, Type } from 'typebox'
import { Boundary, NullableString } from './schema-parts.ts'

/** The members of every list, for its schema. */
export const ListOf = <T extends TSchema>(item: T, description?: string) => ({
  data: Type.Array(item, description === undefined ? {} : { description }),
  next_cursor: NullableString('Send it as `cursor` to get the next page. Null on the last page.'),
  boundary: Boundary(),
})

/** The members of every list. Without a cursor, the list is complete. */
export const listResponse = <T>(data: readonly T[], nextCursor: string | null = null) => ({
  data: [...data],
  next_cursor: nextCursor,
  boundary: BOUNDARY,
})
