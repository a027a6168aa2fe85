import { type Static, Type } from 'typebox'
import { ListOf } from '../http/list.ts'
import { Boundary, DateTime } from '../http/schema-parts.ts'
import { DEFAULT_SCOPES, type Scope, SCOPES } from '../http/scopes.ts'
import { LABEL, OneOf } from '../http/text-schemas.ts'

/** API keys and federations of a workspace. */

const TimeOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const Secret = () => Type.String({ description: 'The key itself. Shown only now: it is not stored.' })

export const Scopes = (description: string) =>
  Type.Unsafe<readonly Scope[]>({
    type: 'array',
    items: { type: 'string', enum: [...SCOPES] },
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
    description,
  })

export const ApiKeyRequest = Type.Object(
  {
    label: Type.String({ ...LABEL, description: 'One line of text, such as the program that uses the key.' }),
    scopes: Type.Optional(
      Type.Unsafe<readonly Scope[]>({
        ...Scopes('What the key may do. A key cannot create one with scopes that it does not have.'),
        default: [...DEFAULT_SCOPES],
      }),
    ),
    expires_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
        description: 'Lifetime in days. Without it, the key does not expire.',
      }),
    ),
  },
  {
    $id: 'ApiKeyRequest',
    title: 'ApiKeyRequest',
    description: 'The body of a new API key.',
    additionalProperties: false,
  },
)

const API_KEY = {
  key_id: Type.String(),
  label: Type.String(),
  scopes: Scopes('What the key may do.'),
  status: OneOf(['active', 'ending', 'expired', 'revoked'], '`ending`: it works, and has an expiry.'),
  created_at: DateTime(),
  expires_at: TimeOrNull('Null if the key does not expire.'),
  revoked_at: TimeOrNull('Null unless the key is revoked.'),
  last_used_at: TimeOrNull('Within about 10 seconds. Null if the key was never used.'),
  boundary: Boundary(),
}

export const ApiKey = Type.Object(API_KEY, {
  $id: 'ApiKey',
  title: 'ApiKey',
  description: 'An API key, without its secret.',
})

export const ApiKeyList = Type.Object(ListOf(Type.Object(API_KEY)), {
  $id: 'ApiKeyList',
  title: 'ApiKeyList',
  description: 'Newest first.',
})

export const CreatedApiKey = Type.Object(
  { key: Type.Object(API_KEY), api_key: Secret(), boundary: Boundary() },
  { $id: 'CreatedApiKey', title: 'CreatedApiKey', description: 'A new API key, with its secret.' },
)

export const RotatedApiKey = Type.Object(
  { key: Type.Object(API_KEY), api_key: Secret(), replaced: Type.Object(API_KEY), boundary: Boundary() },
  {
    $id: 'RotatedApiKey',
    title: 'RotatedApiKey',
    description: 'The new key with its secret, and the key that it replaces.',
  },
)

const ClaimRule = Type.Object(
  {
    claim: Type.String({ minLength: 1, maxLength: 200, description: 'Such as `sub` or `repository`.' }),
    equals: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Must end with `/`, `:` or `@`.' }),
    ),
  },
  { description: 'What a claim must be: `equals` or `prefix`. Compared exactly.' },
)

const FEDERATION = {
  label: Type.String({ ...LABEL, description: 'One line of text. It names the tokens in the audit log.' }),
  issuer: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'URL of the OpenID Connect issuer, exactly as in the claim `iss`.',
  }),
  claims: Type.Array(ClaimRule, {
    minItems: 1,
    maxItems: 20,
    description: 'All of them must match.',
  }),
}

export const FederationRequest = Type.Object(
  {
    ...FEDERATION,
    audience: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'What the claim `aud` must be or contain. Default: the issuer of this service.',
      }),
    ),
    scopes: Type.Optional(
      Type.Unsafe<readonly Scope[]>({
        ...Scopes('Scopes of the tokens. A key cannot give scopes that it does not have.'),
        default: [...DEFAULT_SCOPES],
      }),
    ),
  },
  {
    $id: 'FederationRequest',
    title: 'FederationRequest',
    description: 'The body of a federation.',
    additionalProperties: false,
  },
)

const SHOWN_FEDERATION = {
  federation_id: Type.String(),
  ...FEDERATION,
  audience: Type.String(),
  scopes: Scopes('Scopes of the tokens.'),
  created_at: DateTime(),
  updated_at: DateTime(),
  boundary: Boundary(),
}

export const Federation = Type.Object(SHOWN_FEDERATION, {
  $id: 'Federation',
  title: 'Federation',
  description: 'An issuer whose tokens the workspace accepts, if their claims match.',
})

export const FederationList = Type.Object(ListOf(Type.Object(SHOWN_FEDERATION)), {
  $id: 'FederationList',
  title: 'FederationList',
  description: 'Newest first.',
})

export const Token = Type.Object(
  {
    access_token: Type.String({ description: 'An API key. Send it in `X-API-Key`, or as a bearer token.' }),
    issued_token_type: Type.String(),
    token_type: OneOf(['Bearer']),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Type.String({ description: 'Separated by spaces.' }),
    workspace_id: Type.String(),
    boundary: Boundary(),
  },
  { $id: 'Token', title: 'Token', description: 'A token that lives 15 minutes (RFC 8693).' },
)

const Count = () => Type.Integer({ minimum: 0 })

export const CreditMonthList = Type.Object(
  ListOf(
    Type.Object({
      month: Type.String({ description: '`2026-11`, in UTC.' }),
      granted: Count(),
      used: Count(),
      held: Count(),
      released: Count(),
    }),
    'The last twelve months, oldest first, also those without a change.',
  ),
  { $id: 'CreditMonthList', title: 'CreditMonthList', description: 'How credits were used, by month.' },
)

export const ACCESS_SCHEMAS = {
  CreditMonthList,
  ApiKeyRequest,
  ApiKey,
  ApiKeyList,
  CreatedApiKey,
  RotatedApiKey,
  FederationRequest,
  Federation,
  FederationList,
  Token,
}

export type FederationRequest = Static<typeof FederationRequest>
export type Federation = Static<typeof Federation>
export type CreditMonthList = Static<typeof CreditMonthList>
export type ApiKeyRequest = Static<typeof ApiKeyRequest>
export type ApiKey = Static<typeof ApiKey>
