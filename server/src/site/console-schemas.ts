import { type Static, type TSchema, Type } from 'typebox'
import { Email, Line, OneOf } from '../http/text-schemas.ts'
import { PUBLIC_KITS } from '../access/public-kits.ts'
import { MEMBER_ROLES } from '../access/roles.ts'

/** The request bodies and queries of the console API. */

const closed = { additionalProperties: false } as const
const OptionalOrNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
/** A WebAuthn response, which @simplewebauthn/server validates. */
const PasskeyResponse = Type.Unsafe<object>({ type: 'object' })
const Ceremony = Line(100)
const PasskeyName = Line(100)

export const EmptyBody = Type.Object({}, closed)

export const TokenBody = Type.Object({ token: Line(200) }, closed)

export const AcceptBody = Type.Object(
  {
    token: Line(200),
    ceremony: OptionalOrNull(Ceremony),
    response: OptionalOrNull(PasskeyResponse),
    label: OptionalOrNull(PasskeyName),
  },
  closed,
)

export const SignInBody = Type.Object({ ceremony: Ceremony, response: PasskeyResponse }, closed)

export const NewPasskeyBody = Type.Object(
  { ceremony: Ceremony, response: PasskeyResponse, label: OptionalOrNull(PasskeyName) },
  closed,
)

export const PasskeyBody = Type.Object({ label: PasskeyName }, closed)

export const WorkspaceBody = Type.Object(
  { proposed_name: OptionalOrNull(Line(200)), public_kits: OptionalOrNull(OneOf(PUBLIC_KITS)) },
  closed,
)

export const SwitchBody = Type.Object({ workspace_id: Line(200) }, closed)

export const InvitationBody = Type.Object({ email: Email(), role: OneOf(MEMBER_ROLES) }, closed)

export const MemberBody = Type.Object({ role: OneOf(MEMBER_ROLES) }, closed)

export const SignInQuery = Type.Object({ return_to: Type.Optional(Type.String()) }, closed)

export type SwitchBody = Static<typeof SwitchBody>
export type TokenBody = Static<typeof TokenBody>
export type AcceptBody = Static<typeof AcceptBody>
export type SignInBody = Static<typeof SignInBody>
export type NewPasskeyBody = Static<typeof NewPasskeyBody>
export type PasskeyBody = Static<typeof PasskeyBody>
export type WorkspaceBody = Static<typeof WorkspaceBody>
export type InvitationBody = Static<typeof InvitationBody>
export type MemberBody = Static<typeof MemberBody>
export type SignInQuery = Static<typeof SignInQuery>
