import { Type } from 'typebox'
import { DateTime, Named, OneOf, errors, notModified, ref } from '../http/schema-parts.ts'
import type { FastifyInstance } from 'fastify'
import { ANY_ORIGIN } from '../http/headers.ts'
import { matchesWeakly, failsIfMatch } from '../http/request-headers.ts'
import { Refusal } from '../refusals.ts'
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
export function registerJwksRoutes(
  app: FastifyInstance,
  ctx: { readonly signingKeys: Pick<SigningKeys, 'published'> },
): void {
  app.get<{ Reply: Buffer | undefined }>(
    '/.well-known/jwks.json',
    {
      schema: {
        operationId: 'getKeys',
        tags: ['Keys'],
        summary: 'The public verification keys',
        description:
          'Active and retired keys verify receipts. Revoked keys are listed by ID. Cached for one minute.',
        response: { 200: ref('JWKS'), ...notModified, ...errors(401, 412) },
      },
    },
    async (request, reply) => {
      const { body, etag } = await ctx.signingKeys.published()
      reply.headers({ etag, 'cache-control': CACHE, ...ANY_ORIGIN })
      if (failsIfMatch(request.headers['if-match'], etag))
        throw new Refusal('precondition_failed', 'The key set does not match If-Match.')
      if (matchesWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send(undefined)
      return reply.type('application/json; charset=utf-8').send(Buffer.from(body))
    },
  )
}
