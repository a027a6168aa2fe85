import { Type } from 'typebox'
import { workspaceOf } from '../http/caller.ts'
import { answer, body } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { ListOf, listResponse } from '../http/page-query.ts'
import { Closed, DateTime } from '../http/schema-parts.ts'
import { PublicKey } from '../keys/jwks-routes.ts'
import { timestamp } from '../runtime/clock.ts'
import { pinsOf, readPins, type StoredPin } from './pins.ts'
import { workspaces } from './workspaces.ts'

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
    read: async ({ db, workspaceId }) =>
      pinsOf(
        await db
          .selectFrom('workspaces')
          .select('pins')
          .where('workspace_id', '=', workspaceId)
          .executeTakeFirstOrThrow(),
      ),
  }),
  route('setTrust', 'PUT /v1/trust', {
    access: { scope: 'admin', role: 'owner' },
    bodyLimit: 1024 * 1024,
    summary: 'Replace the pinned issuers',
    description:
      'Each pin is a key of an issuer, by its ID. The `pins` of a trust store that `kitseal trust` wrote can be sent as `data`.',
    body: TrustRequest,
    returns: TrustedIssuers,
    async run(ctx: Parameters<typeof workspaces>[0], { body: { data }, caller }) {
      const { workspaceId, actor } = workspaceOf(caller)
      const pins = readPins(data, timestamp(ctx.clock.now()))
      await workspaces(ctx).update(workspaceId, { pins }, actor)
      return pins
    },
  }),
]
