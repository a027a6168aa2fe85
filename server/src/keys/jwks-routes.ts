import { Type } from 'typebox'
import { route } from '../http/route.ts'
import { DateTime, Named, OneOf, notModified, ref } from '../http/schema-parts.ts'
import { sendDocument } from '../http/send-document.ts'
import type { SigningKeys } from './signing-keys.ts'

export const PublicKey = Type.Object(
  {
    kty: OneOf(['OKP']),
    crv: OneOf(['Ed25519']),
    x: Type.String(),
    kid: Type.String({ description: 'RFC 7638 thumbprint (SHA-256, base64url).' }),
    use: OneOf(['sig']),
    alg: OneOf(['EdDSA']),
    iat: Type.Optional(Type.Integer({ description: 'When the key became active, in Unix seconds.' })),
    exp: Type.Optional(Type.Integer({ description: 'When the key was retired, in Unix seconds.' })),
  },
  { title: 'PublicKey' },
)

export const JWKS = Named(
  'JWKS',
  'The public key set with active and retired keys, and the IDs of revoked keys.',
  {
    keys: Type.Array(PublicKey),
    revoked_keys: Type.Optional(
      Type.Array(
        Type.Object({
          kid: Type.String(),
          revoked_at: DateTime(),
          compromised_since: Type.Optional(DateTime()),
        }),
        { description: 'Keys that must not be trusted. Always sent, even if empty.' },
      ),
    ),
  },
)

/** Short, so that revoked keys leave the caches of verifiers soon. */
const CACHE = 'public, max-age=60, must-revalidate'

/** GET /.well-known/jwks.json (contract 2.7). */
export const jwksRoutes = [
  route('getKeys', 'GET /.well-known/jwks.json', {
    group: 'Keys',
    summary: 'The public verification keys',
    description:
      'Active and retired keys verify receipts. Revoked keys are listed by ID. Cached for one minute.',
    codes: ['precondition_failed'],
    responses: { 200: ref('JWKS'), ...notModified },
    async send({ signingKeys }: WithKeys, { request }, reply) {
      const { body, etag } = await signingKeys.published()
      reply.type('application/json; charset=utf-8')
      return sendDocument(request, reply, { body: Buffer.from(body), etag }, CACHE)
    },
  }),
]

interface WithKeys {
  readonly signingKeys: Pick<SigningKeys, 'published'>
}
