import { workspaceRow } from '../database/questions.ts'
import { isJsonObject, type JsonValue, parsePin, parseStrictJson, utf8 } from '@kitseal/kit/internal'
import { Type } from 'typebox'
import { answer, body } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { ListOf, listResponse } from '../http/page-query.ts'
import { Closed, DateTime } from '../http/schema-parts.ts'
import { PublicKey } from '../keys/jwks-routes.ts'
import { Refusal } from '../refusals.ts'
import { changeWorkspace, type StoredPin } from './workspaces.ts'

const PIN = {
  issuer: Type.String({
    pattern: '^https?://[^\\s]+$',
    maxLength: 500,
    description: 'The URL in the receipts.',
  }),
  kid: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'The key ID.' }),
  key: Type.Optional(PublicKey),
}

const TrustRequest = body('TrustRequest', {
  data: Type.Array(Closed({ ...PIN, created_at: Type.Optional(DateTime()) }), { maxItems: 1000 }),
})
const TrustedIssuers = answer(
  'TrustedIssuers',
  'Keys of other issuers, which kits among the evidence are verified with.',
  ListOf(Type.Object({ ...PIN, created_at: DateTime() })),
  (pins: readonly StoredPin[]) => listResponse(pins),
)

/** The keys that kits in the evidence of a workspace are verified with. */
export const trustRoutes = [
  route('getTrust', 'GET /v1/trust', {
    access: { scope: 'read', role: 'viewer' },
    summary: 'Get the pinned issuers',
    description:
      'Kits among the evidence are verified with the keys of this service and with these. The result is a finding.',
    returns: TrustedIssuers,
    read: async ({ db, workspaceId }) => pinsOf(await workspaceRow(db, workspaceId)),
  }),
  route('setTrust', 'PUT /v1/trust', {
    access: { scope: 'admin', role: 'owner' },
    bodyLimit: 1024 * 1024,
    summary: 'Replace the pinned issuers',
    description:
      'Each pin is a key of an issuer, by its ID. The `pins` of a trust store that `kitseal trust` wrote can be sent as `data`.',
    body: TrustRequest,
    returns: TrustedIssuers,
    async handle(unit, { body: { data } }) {
      const pins = readPins(data, unit.at)
      await changeWorkspace(unit, { pins })
      return pins
    },
  }),
]

export const pinsOf = ({ pins }: { readonly pins: string | null }): readonly StoredPin[] =>
  pins === null ? [] : (JSON.parse(pins) as readonly StoredPin[])

/** Checks what a caller sends. A key must have the ID beside it. */
function readPins(values: readonly { readonly created_at?: string }[], now: string): readonly StoredPin[] {
  return values.map((value, index) => {
    const json: JsonValue = parseStrictJson(utf8(JSON.stringify(value)))
    const pin = isJsonObject(json) ? parsePin(json) : undefined
    if (pin === undefined)
      throw new Refusal('body_invalid', `data[${index}].key does not have this key ID.`, {
        param: `data[${index}].key`,
      })
    const { kid, issuer, key } = pin
    return { issuer, kid, created_at: value.created_at ?? now, ...(key === undefined ? {} : { key }) }
  })
}
