import { type Static, Type } from 'typebox'
import { ListOf } from '../http/list.ts'
import { DateTime } from '../http/schema-parts.ts'
import { PublicKey } from '../keys/key-schemas.ts'

const PIN_MEMBERS = {
  issuer: Type.String({
    pattern: '^https?://[^\\s]+$',
    maxLength: 500,
    description: 'The URL in the receipts.',
  }),
  kid: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'The key ID.' }),
  key: Type.Optional(PublicKey),
}

export const TrustedIssuersBody = Type.Object(
  {
    data: Type.Array(
      Type.Object({ ...PIN_MEMBERS, created_at: Type.Optional(DateTime()) }, { additionalProperties: false }),
      { maxItems: 1000 },
    ),
  },
  { additionalProperties: false },
)

export const TrustedIssuers = Type.Object(ListOf(Type.Object({ ...PIN_MEMBERS, created_at: DateTime() })), {
  $id: 'TrustedIssuers',
  title: 'TrustedIssuers',
  description: 'Keys of other issuers, which kits among the evidence are verified with.',
})

export type TrustedIssuers = Static<typeof TrustedIssuers>
export type TrustedIssuersBody = Static<typeof TrustedIssuersBody>
