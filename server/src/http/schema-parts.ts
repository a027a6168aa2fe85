import { INVISIBLE } from '@kitseal/kit/internal'
import { Type, type TProperties, type TSchema } from 'typebox'
import type { REFUSALS } from '../refusals.ts'

/** Control characters cannot be displayed or stored everywhere. Bidirectional controls make text display as something else. */
const ONE_LINE = `^[^${INVISIBLE.breaking}]*$`
const SEVERAL_LINES = String.raw`^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f${INVISIBLE.direction}]*$`
/** A comma separates tags. */
const TAG = String.raw`^[^\s${INVISIBLE.breaking},]+( [^\s${INVISIBLE.breaking},]+)*$`
const LOCAL_OR_DOMAIN = String.raw`[^\s${INVISIBLE.hidden}@"<>()[\]\\,;:]+`
const EMAIL = `^${LOCAL_OR_DOMAIN}@${LOCAL_OR_DOMAIN}$`

/** What a string must be to match each pattern. */
export const PATTERN_MESSAGES: Readonly<Record<string, string>> = {
  [ONE_LINE]: 'one line of text without control or bidirectional characters',
  [SEVERAL_LINES]: 'text without control or bidirectional characters',
  [EMAIL]: 'an email address',
  [TAG]: 'one line of text without commas or extra spaces',
}

/** JSON Schema keywords of a label. */
export const LABEL = { minLength: 1, maxLength: 200, pattern: ONE_LINE } as const

/** JSON Schema keywords of a tag. */
export const TAG_TEXT = { minLength: 1, maxLength: 50, pattern: TAG } as const

/** One line of text, without the white space around it. */
export const Line = (maxLength: number, minLength = 1) =>
  Type.String({ minLength, maxLength, pattern: ONE_LINE, trim: true })

/** JSON Schema keywords of text with several lines. */
export const SEVERAL_LINES_OF = (maxLength: number) => ({ maxLength, pattern: SEVERAL_LINES }) as const

/** JSON Schema keywords of an email address. */
export const ADDRESS = { maxLength: 254, pattern: EMAIL } as const

/** One of a closed set of strings. */
export const OneOf = <const T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...described(description) })

export const Email = () => Type.String({ ...ADDRESS, trim: true })

/** Members that resources share. */

export const described = (description: string | undefined) =>
  description === undefined ? {} : { description }

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

/** A schema with a name in the OpenAPI document, which /schemas serves too. */
export const Named = <T extends TProperties>(name: string, description: string, members: T) =>
  Type.Object(members, { $id: name, title: name, description })
export const NamedBody = <T extends TProperties>(name: string, description: string, members: T) =>
  Type.Object(members, { $id: name, title: name, description, additionalProperties: false })

type ErrorStatus = (typeof REFUSALS)[keyof typeof REFUSALS][0]

/** In a route's schema: `response: { 200: ref('Receipt'), ...errors(404) }`. site/schemas.ts has the names. */
export const ref = (name: string) => Type.Ref(`${name}#`)

/** The error responses of a route, for its `response` schema. openapi.ts adds those that every route shares. */
export function errors(...statuses: readonly ErrorStatus[]): Record<number, ReturnType<typeof ref>> {
  return Object.fromEntries(statuses.map((status) => [status, ref('ErrorResponse')]))
}

/** The response of every `DELETE`. */
export const deleted = { 204: Type.Null({ description: 'Done.' }) }

export const notModified = {
  304: Type.Null({ description: 'Not modified: the ETag matches `If-None-Match`.' }),
}

/** The `Idempotency-Key` header, with its effect on the route. */
export const idempotencyHeader = (description: string) =>
  Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$', description }),
    ),
  })
