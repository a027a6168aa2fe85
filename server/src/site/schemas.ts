import { type Verdict, VERDICTS } from '@kitseal/kit'
import { REFUSALS, type RefusalCode } from '../refusals.ts'
import { type Static, type TSchema, Type } from 'typebox'
import { EvidenceRequest, EvidenceRequestList, NewRequest, RequestLink } from '../sharing/request-schemas.ts'
import { ACCESS_SCHEMAS } from '../access/access-schemas.ts'
import { EventList } from '../audit/event-schemas.ts'
import { ContainedKit } from '../kits/contained-kit-schema.ts'
import { LABEL, OneOf } from '../http/text-schemas.ts'
import { WEBHOOK_SCHEMAS } from '../deliveries/webhook-schemas.ts'
import { KitDifferences, SeriesList, SeriesTimeline } from '../submissions/series-schemas.ts'
import { Share, ShareAccessList, ShareList, ShareRequest } from '../sharing/share-schemas.ts'
import { PublicKey, TrustedIssuers } from '../access/trust-schemas.ts'
import {
  AuditHead,
  Erasure,
  AuditTrail,
  CreditAccount,
  DeliverableList,
  FailReport,
  Submission,
  SubmissionList,
  SubmissionRequest,
  Upload,
  UploadList,
} from '../submissions/workspace-schemas.ts'
import { Profile, ProfileList, ProfileRequest } from '../submissions/profile-schemas.ts'
import { SubmissionUpdate } from '../submissions/submission-attributes.ts'

/** The resources of the contract (section 2), for validation, serialization, the OpenAPI document and /schemas. */

const BOUNDARY_TEXT = 'What the service does and does not claim.'
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
    description: 'An intake job, from draft to issued kit.',
  },
)

/** The body of a new job. Members of IntakeJob that the service assigns are accepted and ignored. */
export const IntakeJobRequest = Type.Object(
  {
    tenant_id: Type.String({
      ...LABEL,
      description: 'The tenant, one line of text. With an API key: its workspace ID.',
    }),
    scope_label: Type.String({
      ...LABEL,
      description: 'What the evidence is about. Becomes `scope` in the receipt.',
    }),
    status: Type.Optional(
      Type.Unsafe<'DRAFT' | 'SUBMITTED'>({
        type: 'string',
        enum: ['DRAFT', 'SUBMITTED'],
        default: 'SUBMITTED',
      }),
    ),
    job_id: Type.Optional(Type.String({ description: 'Accepted and ignored. The service assigns it.' })),
    created_at: Type.Optional(DateTime()),
    updated_at: Type.Optional(DateTime()),
    kit_id: Type.Optional(NullableString),
    boundary: Type.Optional(Type.String()),
  },
  {
    $id: 'IntakeJobRequest',
    title: 'IntakeJobRequest',
    description:
      'Send `tenant_id`, `scope_label` and optionally `status`. Other members of IntakeJob are accepted and ignored.',
    ...closed,
  },
)

export const Kit = Type.Object(
  {
    kit_id: Type.String(),
    job_id: Type.String(),
    issued_at: DateTime(),
    receipt_version: Type.String(),
    manifest_sha256: Sha256('Hash of the manifest.'),
    public_key_kid: Type.String({ description: 'Key ID of the signing key.' }),
    downloads: Type.Record(Type.String(), Type.String()),
    boundary: Boundary(),
  },
  {
    $id: 'Kit',
    title: 'Kit',
    description: 'Metadata of a kit. No endpoint returns it directly.',
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
        {
          path: Type.String(),
          sha256: Sha256('Hash of the file.'),
          size_bytes: Type.Integer({ minimum: 0 }),
        },
        closed,
      ),
      { description: 'Sorted by the UTF-8 bytes of `path`.' },
    ),
    manifest_sha256: Sha256('SHA-256 of this object in RFC 8785 form, without this member.'),
    boundary: Boundary(),
  },
  { $id: 'Manifest', title: 'Manifest', description: 'The list of every file in a kit.', ...closed },
)

export const Receipt = Type.Object(
  {
    receipt_version: Type.String(),
    job_id: Type.String(),
    kit_id: Type.String(),
    issued_at: DateTime(),
    issuer: Type.String(),
    public_key_kid: Type.String({ description: 'RFC 7638 thumbprint of the signing key.' }),
    manifest_sha256: Sha256("`manifest_sha256` of the kit's manifest."),
    manifest_root_hash: Sha256('RFC 9162 Merkle tree hash of the artifacts, in order.'),
    canonical_receipt_sha256: Sha256(
      'SHA-256 of this object in RFC 8785 form, without this member and `signature`.',
    ),
    signature_algorithm: OneOf(['Ed25519']),
    signature: Type.String({
      description:
        'Ed25519 signature of this object in RFC 8785 form without this member, as base64url without padding.',
    }),
    scope: Type.String(),
    boundary: Boundary(),
  },
  { $id: 'Receipt', title: 'Receipt', description: 'The signed statement that a kit was issued.', ...closed },
)

const CheckResult = Type.Object({
  check: Type.String(),
  guarantee: Type.String({ description: 'What a passed check guarantees.' }),
  result: OneOf(['pass', 'fail', 'not_run']),
  why: Type.Optional(Type.String({ description: 'Why the check failed or was not run.' })),
})

export const VerificationResult = Type.Object(
  {
    status: OneOf(['PASS', 'FAIL']),
    verdict: Type.Optional(
      OneOf(
        Object.keys(VERDICTS) as readonly Verdict[],
        'What the result means: `verified` is PASS, the others say why it is FAIL.',
      ),
    ),
    manifest_hash_valid: Type.Boolean(),
    artifact_hashes_valid: Type.Boolean(),
    receipt_canonical_hash_valid: Type.Boolean(),
    ed25519_signature_valid: Type.Boolean(),
    kid_matched: Type.Boolean(),
    errors: Type.Array(Type.String(), { description: '`code: text` for each failure. Empty on PASS.' }),
    checks: Type.Optional(Type.Array(CheckResult, { description: 'The result of each check.' })),
    signer: Type.Optional(
      Type.Object({
        kid: Type.Union([Type.String(), Type.Null()], { description: 'Key ID in the receipt.' }),
        trust: OneOf(
          ['pinned', 'jwks', 'kit', 'none'],
          "Where the key was found. `jwks` is the service's own key set.",
        ),
        revoked_at: Type.Optional(DateTime()),
      }),
    ),
    log: Type.Optional(
      Type.Object(
        {
          text: Type.String({ description: 'What the log adds, in one line. For people. Do not parse it.' }),
          origin: Type.Union([Type.String(), Type.Null()], {
            description: 'The log that the log proof names. Null without a valid log proof.',
          }),
          index: Type.Union([Type.Integer(), Type.Null()], {
            description: 'The position of the receipt in the log, from 0.',
          }),
          size: Type.Union([Type.Integer(), Type.Null()], { description: 'How many entries the log had.' }),
          since: Type.Union([DateTime(), Type.Null()], {
            description: 'When the quorum of the policy had cosigned.',
          }),
          witnesses: Type.Union([
            Type.Object({ cosigned: Type.Array(Type.String()), total: Type.Integer() }),
            Type.Null(),
          ]),
        },
        { description: 'Only for kits with a log proof.' },
      ),
    ),
    contains: Type.Optional(
      Type.Array(ContainedKit, {
        description:
          'The kits among the files, each verified with the same keys. They do not change the result.',
      }),
    ),
    boundary: Boundary(),
  },
  {
    $id: 'VerificationResult',
    title: 'VerificationResult',
    description: 'PASS if the verdict is verified.',
  },
)

export const ErrorResponse = Type.Object(
  {
    error: Type.String({ description: 'Reason phrase of the status.' }),
    code: OneOf(
      Object.keys(REFUSALS) as RefusalCode[],
      'What went wrong. Later releases may add codes: treat an unknown one by its status.',
    ),
    message: Type.String({ description: 'For people. Do not parse it.' }),
    request_id: Type.String({ description: 'Also in `X-Request-Id`.' }),
    boundary: Type.Optional(Boundary()),
  },
  { $id: 'ErrorResponse', title: 'ErrorResponse', description: 'Returned with every error.' },
)

export const JWKS = Type.Object(
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
  {
    $id: 'JWKS',
    title: 'JWKS',
    description: 'The public key set with active and retired keys, and the IDs of revoked keys.',
  },
)

export type IntakeJob = Static<typeof IntakeJob>
export type IntakeJobRequest = Static<typeof IntakeJobRequest>
export type Kit = Static<typeof Kit>
export type ErrorResponse = Static<typeof ErrorResponse>

const NAMED = {
  IntakeJob,
  IntakeJobRequest,
  Kit,
  Manifest,
  Receipt,
  VerificationResult,
  ErrorResponse,
  JWKS,
  SubmissionRequest,
  SubmissionUpdate,
  Profile,
  ProfileList,
  ProfileRequest,
  Upload,
  UploadList,
  Submission,
  SubmissionList,
  DeliverableList,
  FailReport,
  CreditAccount,
  AuditTrail,
  AuditHead,
  Erasure,
  SeriesList,
  SeriesTimeline,
  KitDifferences,
  ShareRequest,
  Share,
  ShareList,
  EventList,
  ShareAccessList,
  NewRequest,
  EvidenceRequest,
  EvidenceRequestList,
  RequestLink,
  TrustedIssuers,
  ...ACCESS_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
}

export type SchemaName = keyof typeof NAMED

/** The named schemas of the OpenAPI document and /schemas. */
export const NAMED_SCHEMAS: Readonly<Record<SchemaName, TSchema>> = NAMED

/** In a route's schema: `response: { 200: ref('Receipt'), ...errors(404) }`. */
export const ref = (name: SchemaName) => Type.Ref(`${name}#`)
