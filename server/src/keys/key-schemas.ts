import { Type } from 'typebox'
import { DateTime, Named, OneOf } from '../http/schema-parts.ts'

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
