import { type Static, Type } from 'typebox'
import { Email, Line, OneOf, Closed, OptionalOrNull } from '../http/schema-parts.ts'
import { PUBLIC_KITS } from '../access/public-kits.ts'
import { LANGUAGE_CODES } from '../database/workspace-language.ts'
import { MEMBER_ROLES } from '../access/member-queries.ts'

/** The request bodies and queries of the console API. */

/** A WebAuthn response, which @simplewebauthn/server validates. */
const PasskeyResponse = Type.Unsafe<object>({ type: 'object' })
const Ceremony = Line(100)
const PasskeyName = Line(100)

export const EmptyBody = Closed({})

export const TokenBody = Closed({ token: Line(200) })

const PERSON = { name: OptionalOrNull(Line(100)), email: OptionalOrNull(Email()) }

export const PersonBody = Closed(PERSON)

/** With the address that the passkey is for. */
export const RegistrationBody = Closed({ token: Line(200), email: PERSON.email })

export const AcceptBody = Closed({
  token: Line(200),
  ceremony: OptionalOrNull(Ceremony),
  response: OptionalOrNull(PasskeyResponse),
  label: OptionalOrNull(PasskeyName),
  ...PERSON,
  workspace_name: OptionalOrNull(Line(200)),
})

export const SignInBody = Closed({ ceremony: Ceremony, response: PasskeyResponse })

export const NewPasskeyBody = Closed({
  ceremony: Ceremony,
  response: PasskeyResponse,
  label: OptionalOrNull(PasskeyName),
})

export const PasskeyBody = Closed({ label: PasskeyName })

export const WorkspaceBody = Closed({
  name: OptionalOrNull(Line(200)),
  public_kits: OptionalOrNull(OneOf(PUBLIC_KITS)),
  language: OptionalOrNull(OneOf(LANGUAGE_CODES)),
})

export const SwitchBody = Closed({ workspace_id: Line(200) })

export const InvitationBody = Closed({ email: Email(), role: OneOf(MEMBER_ROLES) })

export const MemberBody = Closed({ role: OneOf(MEMBER_ROLES) })

export const ExtensionBody = Closed({
  expires_days: Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()]),
})

export const SignInQuery = Closed({
  return_to: Type.Optional(Type.String()),
  ask: Type.Optional(OneOf(['workspace'])),
})

/** Keys and federations, separated by commas. */
export const RemovalQuery = Closed({ keep: Type.Optional(Type.String({ maxLength: 7000 })) })
export type RemovalQuery = Static<typeof RemovalQuery>

export type SwitchBody = Static<typeof SwitchBody>
export type TokenBody = Static<typeof TokenBody>
export type PersonBody = Static<typeof PersonBody>
export type RegistrationBody = Static<typeof RegistrationBody>
export type AcceptBody = Static<typeof AcceptBody>
export type SignInBody = Static<typeof SignInBody>
export type NewPasskeyBody = Static<typeof NewPasskeyBody>
export type PasskeyBody = Static<typeof PasskeyBody>
export type WorkspaceBody = Static<typeof WorkspaceBody>
export type InvitationBody = Static<typeof InvitationBody>
export type MemberBody = Static<typeof MemberBody>
export type ExtensionBody = Static<typeof ExtensionBody>
export type SignInQuery = Static<typeof SignInQuery>
