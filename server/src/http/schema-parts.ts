import { type TProperties, type TSchema, Type } from 'typebox'

/** Members that resources share. */

const described = (description: string | undefined) => (description === undefined ? {} : { description })

export const DateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...described(description) })
/** For filters. */
export const DateOrTime = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })], {
    description: `${description} A date, which is the start of that day in UTC, or a date-time (RFC 3339).`,
  })
export const Boundary = () => Type.String({ description: 'What the service does and does not claim.' })
export const Sha256 = (description?: string) =>
  Type.String({ pattern: '^[0-9a-f]{64}$', ...described(description) })
export const Count = (description?: string) => Type.Integer({ minimum: 0, ...described(description) })
export const NullableString = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...described(description) })
export const NullableInteger = (description?: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], ...described(description) })
export const NullableTime = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', ...described(description) })
export const Nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], described(description))
export const OptionalOrNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], described(description)))

/** An object with no other members, such as the body or the query of a request. */
export const Closed = <T extends TProperties>(members: T, options: { readonly description?: string } = {}) =>
  Type.Object(members, { additionalProperties: false, ...options })

/** A schema with a name in the OpenAPI document, which /schemas serves too. */
/** A sentence of the service as a message, which a program can write in another language. */
export const Message = (description: string) =>
  Type.Object(
    {
      key: Type.String(),
      args: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Text, numbers, or other messages. Never markup.',
        }),
      ),
    },
    { description },
  )

export const Named = <T extends TProperties>(name: string, description: string, members: T) =>
  Type.Object(members, { $id: name, title: name, description })
export const NamedBody = <T extends TProperties>(name: string, description: string, members: T) =>
  Type.Object(members, { $id: name, title: name, description, additionalProperties: false })
