import { type Static, type TSchema, Type } from 'typebox'
import { LABEL, OneOf } from './text-schemas.ts'
import {
  AuditTrail,
  CreditAccount,
  DeliverableList,
  FailReport,
  Submission,
  SubmissionList,
  SubmissionRequest,
} from './workspace-schemas.ts'

/** The contract's resources (its section 2), once: they shape answers, the interface description and /schemas. */

const BOUNDARY_TEXT = 'What the service does and does not vouch for.'
const DateTime = () => Type.String({ format: 'date-time' })
const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const Boundary = () => Type.String({ description: BOUNDARY_TEXT })
const closed = { additionalProperties: false } as const

export const JobStatus = OneOf(['DRAFT', 'SUBMITTED', 'PASS', 'FAIL', 'ISSUED', 'EXPIRED'])

const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const IntakeJob = Type.Object(
  {
    job_id: Type.String(),
    tenant_id: Type.String(),
    scope_label: Type.String(),
    status: JobStatus,
    created_at: DateTime(),
    updated_at: DateTime(),
    kit_id: Type.Optional(NullableString),
    boundary: Boundary(),
  },
  {
    $id: 'IntakeJob',
    title: 'IntakeJob',
    description: 'One piece of intake, from draft to issued kit.',
  },
)

/** What a caller sends: two members, and any other member of an IntakeJob, which the service assigns itself. */
export const IntakeJobRequest = Type.Object(
  {
    tenant_id: Type.String({ ...LABEL, description: 'Whose intake this is: one line of text.' }),
    scope_label: Type.String({ ...LABEL, description: 'What it covers; becomes `scope` of the receipt.' }),
    status: Type.Optional(
      Type.Unsafe<'DRAFT' | 'SUBMITTED'>({
        type: 'string',
        enum: ['DRAFT', 'SUBMITTED'],
        default: 'SUBMITTED',
      }),
    ),
    job_id: Type.Optional(Type.String({ description: 'Accepted and ignored: the service assigns it.' })),
    created_at: Type.Optional(DateTime()),
    updated_at: Type.Optional(DateTime()),
    kit_id: Type.Optional(NullableString),
    boundary: Type.Optional(Type.String()),
  },
  {
    $id: 'IntakeJobRequest',
    title: 'IntakeJobRequest',
    description:
      'The IntakeJob shape, of which the caller supplies `tenant_id`, `scope_label` and, if wanted, `status`.',
    ...closed,
  },
)

export const Kit = Type.Object(
  {
    kit_id: Type.String(),
    job_id: Type.String(),
    issued_at: DateTime(),
    receipt_version: Type.String(),
    manifest_sha256: Sha256('The manifest that the receipt binds.'),
    public_key_kid: Type.String({ description: 'Key ID of the signing public key.' }),
    downloads: Type.Record(Type.String(), Type.String()),
    boundary: Boundary(),
  },
  {
    $id: 'Kit',
    title: 'Kit',
    description: 'The metadata record of a kit. No endpoint returns it directly.',
  },
)

export const Manifest = Type.Object(
  {
    receipt_version: Type.String(),
    kit_id: Type.String(),
    job_id: Type.String(),
    issued_at: DateTime(),
    artifacts: Type.Array(
      Type.Object(
        { path: Type.String(), sha256: Sha256('Of the file.'), size_bytes: Type.Integer({ minimum: 0 }) },
        closed,
      ),
      { description: 'Sorted by the UTF-8 bytes of `path`.' },
    ),
    manifest_sha256: Sha256('SHA-256 of the RFC 8785 form of this object without this member.'),
    boundary: Boundary(),
  },
  { $id: 'Manifest', title: 'Manifest', description: 'The inventory of a kit.', ...closed },
)

export const Receipt = Type.Object(
  {
    receipt_version: Type.String(),
    job_id: Type.String(),
    kit_id: Type.String(),
    issued_at: DateTime(),
    issuer: Type.String(),
    public_key_kid: Type.String({ description: 'RFC 7638 thumbprint of a key in the public key set.' }),
    manifest_sha256: Sha256("`manifest_sha256` of the kit's manifest."),
    manifest_root_hash: Sha256('RFC 9162 Merkle tree hash over the artifacts in order.'),
    canonical_receipt_sha256: Sha256(
      'SHA-256 of the RFC 8785 form of this object without this member and `signature`.',
    ),
    signature_algorithm: OneOf(['Ed25519']),
    signature: Type.String({
      description:
        'Ed25519 over the RFC 8785 form of this object without this member; base64url without padding.',
    }),
    scope: Type.String(),
    boundary: Boundary(),
  },
  { $id: 'Receipt', title: 'Receipt', description: 'The signed statement that binds a kit.', ...closed },
)

const CheckResult = Type.Object({
  check: Type.String(),
  guarantee: Type.String({ description: 'What holds where the check passes, in words.' }),
  result: OneOf(['pass', 'fail', 'not_run']),
  why: Type.Optional(Type.String({ description: 'Why it failed, or was not run.' })),
})

export const VerificationResult = Type.Object(
  {
    status: OneOf(['PASS', 'FAIL']),
    manifest_hash_valid: Type.Boolean(),
    artifact_hashes_valid: Type.Boolean(),
    receipt_canonical_hash_valid: Type.Boolean(),
    ed25519_signature_valid: Type.Boolean(),
    kid_matched: Type.Boolean(),
    errors: Type.Array(Type.String(), { description: '`code: text`, one for every failure; empty on PASS.' }),
    checks: Type.Array(CheckResult, { description: 'Each guarantee on its own.' }),
    signer: Type.Object({
      kid: Type.Union([Type.String(), Type.Null()], { description: 'The key that the receipt names.' }),
      trust: OneOf(
        ['pinned', 'jwks', 'kit', 'none'],
        "Where the key was found; `jwks` is the service's own key set.",
      ),
    }),
    boundary: Boundary(),
  },
  {
    $id: 'VerificationResult',
    title: 'VerificationResult',
    description: 'PASS only where every check ran and held.',
  },
)

export const ErrorResponse = Type.Object(
  {
    error: Type.String({ description: 'The phrase of the status.' }),
    code: Type.String({ description: 'One of the documented codes.' }),
    message: Type.String({ description: 'For a person.' }),
    request_id: Type.String({ description: 'Also in `X-Request-Id`.' }),
    boundary: Type.Optional(Boundary()),
  },
  { $id: 'ErrorResponse', title: 'ErrorResponse', description: 'What every error answers.' },
)

export const PublicKey = Type.Object(
  {
    kty: OneOf(['OKP']),
    crv: OneOf(['Ed25519']),
    x: Type.String(),
    kid: Type.String({ description: 'RFC 7638 thumbprint (SHA-256, base64url).' }),
    use: OneOf(['sig']),
    alg: OneOf(['EdDSA']),
    iat: Type.Optional(Type.Integer({ description: 'When its life began, in seconds.' })),
    exp: Type.Optional(Type.Integer({ description: 'When it was retired, in seconds.' })),
  },
  { title: 'PublicKey' },
)

export const JWKS = Type.Object(
  { keys: Type.Array(PublicKey) },
  {
    $id: 'JWKS',
    title: 'JWKS',
    description: 'The public key set: active and retired keys, never a revoked one.',
  },
)

export type IntakeJob = Static<typeof IntakeJob>
export type IntakeJobRequest = Static<typeof IntakeJobRequest>
export type Kit = Static<typeof Kit>
export type ErrorResponse = Static<typeof ErrorResponse>

export type SchemaName = (typeof SCHEMA_NAMES)[number]

const SCHEMA_NAMES = [
  'IntakeJob',
  'IntakeJobRequest',
  'Kit',
  'Manifest',
  'Receipt',
  'VerificationResult',
  'ErrorResponse',
  'JWKS',
  'SubmissionRequest',
  'Submission',
  'SubmissionList',
  'DeliverableList',
  'FailReport',
  'CreditAccount',
  'AuditTrail',
] as const

/** Every schema with a name, as the interface description and /schemas list them. */
export const NAMED_SCHEMAS: Readonly<Record<SchemaName, TSchema>> = {
  IntakeJob,
  IntakeJobRequest,
  Kit,
  Manifest,
  Receipt,
  VerificationResult,
  ErrorResponse,
  JWKS,
  SubmissionRequest,
  Submission,
  SubmissionList,
  DeliverableList,
  FailReport,
  CreditAccount,
  AuditTrail,
}

/** In a route's schema: `response: { 200: ref('Receipt'), ...errors(404) }`. */
export const ref = (name: SchemaName) => Type.Ref(`${name}#`)
