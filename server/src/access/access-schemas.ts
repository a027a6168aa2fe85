import { type Static, Type } from 'typebox'
import { ListOf } from '../http/page-query.ts'
import {
  Boundary,
  Closed,
  Count,
  DateTime,
  Named,
  NamedBody,
  NullableInteger,
  NullableString,
  NullableTime,
} from '../http/schema-parts.ts'
import { DEFAULT_SCOPES, type Scope, SCOPES } from '../http/scopes.ts'
import { LABEL, OneOf } from '../http/text-schemas.ts'
import { Scopes } from './key-routes.ts'
import { MEMBER_ROLES } from './roles.ts'
import { PublicKey } from '../keys/key-schemas.ts'

/** Federations of a workspace, and who calls. */

const CreatedBy = () =>
  NullableString(
    'ID of the member, API key or federation that made or extended it, or `operator` or `service`. Null if unknown.',
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

export const FederationRequest = NamedBody('FederationRequest', 'The body of a federation.', {
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
})

const SHOWN_FEDERATION = {
  federation_id: Type.String(),
  ...FEDERATION,
  audience: Type.String(),
  scopes: Scopes('Scopes of the tokens.'),
  created_by: CreatedBy(),
  created_at: DateTime(),
  updated_at: DateTime(),
  expires_at: NullableTime('When the API key that made it expires. Null if it does not.'),
  boundary: Boundary(),
}

export const Federation = Named(
  'Federation',
  'An issuer whose tokens the workspace accepts, if their claims match.',
  SHOWN_FEDERATION,
)

export const FederationList = Named('FederationList', 'Newest first.', ListOf(Type.Object(SHOWN_FEDERATION)))

export const Token = Named('Token', 'A token that lives 15 minutes (RFC 8693).', {
  access_token: Type.String({ description: 'An API key. Send it in `X-API-Key`, or as a bearer token.' }),
  issued_token_type: Type.String(),
  token_type: OneOf(['Bearer']),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  scope: Type.String({ description: 'Separated by spaces.' }),
  workspace_id: Type.String(),
  boundary: Boundary(),
})

export type FederationRequest = Static<typeof FederationRequest>
export type Federation = Static<typeof Federation>

export const Plan = Type.Object(
  {
    name: Type.String(),
    upload_limit_bytes: Count(),
    unpacked_limit_bytes: Count(),
    unpacked_files: Count(),
    unpacked_ratio: Count(),
    retention_days: NullableInteger('Null if kits are kept indefinitely.'),
    rate_per_minute: Count(),
    storage_limit_bytes: NullableInteger('Of all submissions together. Null if there is no limit.'),
    mails_per_day: Type.Integer({ minimum: 0, description: 'Mails to people who are not members.' }),
    evidence_policy: OneOf(['open', 'examined_only']),
    finding_classes: Type.Record(Type.String(), OneOf(['danger', 'damage', 'notice'])),
  },
  { description: 'The limits of the workspace.' },
)

export const Me = Named('Me', 'Who calls, for which workspace, and what they may do.', {
  workspace_id: Type.String(),
  workspace_name: Type.String({ description: 'Sealed in kits as the supplier.' }),
  actor: Type.Object({
    type: OneOf(
      ['key', 'federation', 'member'],
      '`federation`: a key that was exchanged for the token of a CI system.',
    ),
    id: Type.String({ description: 'ID of the key or member, as in the audit log.' }),
    name: Type.String({ description: 'The label of the key, or the email address of the member.' }),
  }),
  role: Type.Union([OneOf(MEMBER_ROLES), Type.Null()], { description: 'Of the member. Null for keys.' }),
  scopes: Type.Unsafe<readonly Scope[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', enum: [...SCOPES] },
    description: 'Of the key. Null for members, whose role says what they may do.',
  }),
  expires_at: NullableTime('When the key expires, or the session ends. Null if never.'),
  plan: Plan,
  boundary: Boundary(),
})

export type Me = Static<typeof Me>

const PIN_MEMBERS = {
  issuer: Type.String({
    pattern: '^https?://[^\\s]+$',
    maxLength: 500,
    description: 'The URL in the receipts.',
  }),
  kid: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'The key ID.' }),
  key: Type.Optional(PublicKey),
}

export const TrustedIssuersBody = Closed({
  data: Type.Array(Closed({ ...PIN_MEMBERS, created_at: Type.Optional(DateTime()) }), { maxItems: 1000 }),
})

export const TrustedIssuers = Named(
  'TrustedIssuers',
  'Keys of other issuers, which kits among the evidence are verified with.',
  ListOf(Type.Object({ ...PIN_MEMBERS, created_at: DateTime() })),
)

export type TrustedIssuers = Static<typeof TrustedIssuers>
export type TrustedIssuersBody = Static<typeof TrustedIssuersBody>

export const CreditAccount = Named('CreditAccount', 'The credits of a workspace and their ledger.', {
  workspace_id: Type.String(),
  available: Type.Union([Count(), Type.Null()], {
    description: 'Credits that can be spent. Null: unlimited, because the operator gave no number.',
  }),
  held: Count('Credits held for submissions in progress.'),
  ...ListOf(
    Type.Object({
      seq: Type.Integer({ minimum: 1 }),
      kind: OneOf(['grant', 'hold', 'capture', 'release']),
      available_change: Type.Integer(),
      held_change: Type.Integer(),
      available_after: Count(),
      submission_id: NullableString('The submission that the credit was held, captured or released for.'),
      note: NullableString('A note by the operator.'),
      created_at: DateTime(),
    }),
    'The ledger, newest first. Append-only. The changes add up to `available` and `held`.',
  ),
})

export type CreditAccount = Static<typeof CreditAccount>
