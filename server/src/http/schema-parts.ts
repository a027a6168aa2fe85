import { Type } from 'typebox'

/** Members that resources share. */

export const DateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })
export const Boundary = () => Type.String({ description: 'What the service does and does not claim.' })
export const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
export const NullableString = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
export const NextCursor = () =>
  NullableString('Send it as `cursor` to get the next page. Null on the last page.')
