import { Type } from 'typebox'

/** Members that resources share. */

export const DateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })
/** For filters. */
export const DateOrTime = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })], {
    description: `${description} A date, which is the start of that day in UTC, or a date-time (RFC 3339).`,
  })
export const Boundary = () => Type.String({ description: 'What the service does and does not claim.' })
export const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
export const NullableString = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
