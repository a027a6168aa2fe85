import { PROTOCOLS, ROUTES, SOURCES, type Verdict, VERDICTS } from '@kitseal/kit/internal'
import { type Static, Type } from 'typebox'
import {
  Boundary,
  Closed,
  Count,
  DateTime,
  described,
  Message,
  Named,
  NamedBody,
  NullableString,
  OneOf,
  Sha256,
  Nullable,
  OptionalOrNull,
} from '../http/schema-parts.ts'
import { FILE_KINDS } from './kit-files.ts'

const Line = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...described(description) })
const Day = (description?: string) => Type.String({ maxLength: 35, ...described(description) })

const COLLECTOR = { name: Line(200), version: Type.Optional(Line(100)), command: Type.Optional(Line(2000)) }
const PERIOD = { from: Day(), to: Day() }
const ABOUT_COLLECTOR = { description: 'The program that collected the evidence.' }
const ABOUT_PERIOD = { description: 'The time that the evidence is about.' }

const STATED = {
  collected_at: Type.Optional(Day('A date (`2026-01-31`), or a time with its zone (RFC 3339).')),
  system: Type.Optional(Line(500, 'The system, account or repository that the evidence is about.')),
  query: Type.Optional(Line(4000, 'What was asked for.')),
}

/** What a supplier sends, in closed objects. kit/src/submission-provenance.ts checks it, and says what is wrong. */
const stated = (object: typeof Closed) => ({
  collector: Type.Optional(object(COLLECTOR, ABOUT_COLLECTOR)),
  period: Type.Optional(object(PERIOD, ABOUT_PERIOD)),
  ...STATED,
})

export const SubmissionProvenanceBody = () =>
  Closed(
    {
      ...stated(Closed),
      files: Type.Optional(
        Type.Record(Type.String(), Closed(stated(Closed)), {
          maxProperties: 1000,
          description:
            'Statements about single files, by their path in the kit without `data/`. They replace the one about all files.',
        }),
      ),
    },
    {
      description:
        'Where you say the evidence came from. It is sealed in `reports/provenance.json` as stated by the supplier. `max_age_days` of a profile uses its dates.',
    },
  )

export const ShownProvenance = () =>
  Type.Union(
    [
      Type.Object({
        ...stated(Type.Object),
        files: Type.Optional(Type.Record(Type.String(), Type.Object(stated(Type.Object)))),
      }),
      Type.Null(),
    ],
    { description: 'What the supplier states about where the evidence came from.' },
  )

const OptionalText = () => Type.Optional(Type.String())
const STATED_NAMES = new Set(Object.keys(stated(Type.Object)))

/** An entry of reports/provenance.json. spec/schemas/provenance.json says which source has which members. */
const ProvenanceEntry = Type.Object({
  paths: Type.Union([Type.Literal('all files'), Type.Array(Type.String())]),
  source: OneOf(Object.keys(SOURCES) as readonly (keyof typeof SOURCES)[]),
  statement: OneOf(
    ['verified', 'stated'],
    '`verified` by the issuer of the kit, or `stated` by someone else and not verified.',
  ),
  ...stated(Type.Object),
  ...Object.fromEntries(
    Object.values(SOURCES)
      .flatMap(({ members }) => Object.keys(members))
      .filter((name) => !STATED_NAMES.has(name))
      .map((name) => [name, OptionalText()]),
  ),
  at: Type.Optional(DateTime()),
  route: Type.Optional(OneOf(ROUTES)),
  protocol: Type.Optional(OneOf(PROTOCOLS)),
  confirmed_at: Type.Optional(DateTime()),
  counts: Type.Optional(Type.Array(Type.Object({ name: Type.String(), count: Count() }))),
})

export const ProvenanceEntries = () =>
  Type.Array(ProvenanceEntry, {
    description: 'Where the evidence came from, as in `reports/provenance.json`.',
  })

export const ProvenanceResult = Type.Object(
  {
    confirmed: Type.Boolean({
      description: 'Whether the kit is verified. If not, nothing in the report counts as verified.',
    }),
    problem: NullableString('Why nothing of the report is shown: it is malformed.'),
    entries: ProvenanceEntries(),
  },
  {
    description: 'Where the evidence came from. Only if the kit is intact and has `reports/provenance.json`.',
  },
)

export const Kit = Named('Kit', 'Metadata of a kit. No endpoint returns it directly.', {
  kit_id: Type.String(),
  job_id: Type.String(),
  issued_at: DateTime(),
  receipt_version: Type.String(),
  manifest_sha256: Sha256('Hash of the manifest.'),
  public_key_kid: Type.String({ description: 'Key ID of the signing key.' }),
  downloads: Type.Record(Type.String(), Type.String()),
  boundary: Boundary(),
})

export const Manifest = NamedBody('Manifest', 'The list of every file in a kit.', {
  receipt_version: Type.String(),
  kit_id: Type.String(),
  job_id: Type.String(),
  issued_at: DateTime(),
  artifacts: Type.Array(
    Closed({
      path: Type.String(),
      sha256: Sha256('Hash of the file.'),
      size_bytes: Count(),
    }),
    { description: 'Sorted by the UTF-8 bytes of `path`.' },
  ),
  manifest_sha256: Sha256('SHA-256 of this object in RFC 8785 form, without this member.'),
  boundary: Boundary(),
})

export const Receipt = NamedBody('Receipt', 'The signed statement that a kit was issued.', {
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
})

const CheckResult = Type.Object({
  check: Type.String(),
  guarantee: Type.String({ description: 'What a passed check guarantees.' }),
  result: OneOf(['pass', 'fail', 'not_run']),
  why: Type.Optional(Type.String({ description: 'Why the check failed or was not run.' })),
  why_message: Type.Optional(Message('`why` as a message. Missing if it is only in English.')),
})

export const VerificationResult = Named('VerificationResult', 'PASS if the verdict is verified.', {
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
  error_messages: Type.Optional(
    Type.Array(Nullable(Message('The text of an error as a message.')), {
      description: 'By the index of `errors`. Null for one that is only in English.',
    }),
  ),
  checks: Type.Optional(Type.Array(CheckResult, { description: 'The result of each check.' })),
  signer: Type.Optional(
    Type.Object({
      kid: Nullable(Type.String(), 'Key ID in the receipt.'),
      trust: OneOf(
        ['pinned', 'jwks', 'kit', 'none'],
        "Where the key was found. `jwks` is the service's own key set.",
      ),
      key_from: Type.Optional(
        Type.Object(
          {
            source: OneOf(['given', 'pinned', 'address', 'site']),
            host: Type.Optional(Type.String({ description: 'Who publishes the key.' })),
            pinned_on: Type.Optional(Type.String({ description: 'The day on which the reader pinned it.' })),
            confirmed: Type.Optional(
              Type.Boolean({ description: 'Whether the reader agreed to it, or only used it first.' }),
            ),
          },
          { description: 'Who says that this key is the issuer’s. This service: `site`.' },
        ),
      ),
      revoked_at: Type.Optional(DateTime()),
    }),
  ),
  log: Type.Optional(
    Type.Object(
      {
        text: Type.String({ description: 'What the log adds, in one line. For people. Do not parse it.' }),
        text_message: Type.Optional(Message('`text` as a message.')),
        origin: Nullable(Type.String(), 'The log that the log proof names. Null without a valid log proof.'),
        index: Nullable(Type.Integer(), 'The position of the receipt in the log, from 0.'),
        size: Nullable(Type.Integer(), 'How many entries the log had.'),
        since: Nullable(DateTime(), 'When the quorum of the policy had cosigned.'),
        witnesses: Nullable(Type.Object({ cosigned: Type.Array(Type.String()), total: Type.Integer() })),
      },
      { description: 'Only for kits with a log proof.' },
    ),
  ),
  provenance: Type.Optional(ProvenanceResult),
  boundary: Boundary(),
})

export const Erasure = Named(
  'Erasure',
  'Says that the evidence of a kit was deleted, when and why. Signed by the issuer, and in the transparency log.',
  {
    erasure_version: Type.Literal('kitseal-erasure-1'),
    kit_id: Type.String(),
    job_id: Type.String(),
    receipt_sha256: Sha256('Of the canonical receipt with its signature.'),
    issuer: Type.String(),
    erased_at: DateTime(),
    reason: OneOf(['retention', 'request']),
    rule: NullableString('The rule, if the reason is retention.'),
    ordered_by: NullableString('`member:ID` or `key:ID`, if the reason is a request.'),
    files: Count('Files of evidence.'),
    bytes: Count(),
    public_key_kid: Type.String(),
    signature_algorithm: Type.Literal('Ed25519'),
    signature: Type.String({ description: 'Base64url.' }),
    boundary: Boundary(),
  },
)

export type Kit = Static<typeof Kit>

const Text = Type.String()
const NamedWorkspace = () =>
  Type.Object({
    workspace_id: Text,
    name: Text,
    confirmed_by: OptionalOrNull(Type.Literal('operator')),
  })

export const KitDetail = Named('KitDetail', 'What is in a kit, and where it is in the log.', {
  kit_id: Text,
  label: Type.String({ description: 'The scope of its receipt.' }),
  issuer: Type.String({ description: 'Of its receipt.' }),
  issued_at: DateTime(),
  kid: Type.String({ description: 'Key ID of the signing key.' }),
  supplier: Nullable(
    NamedWorkspace(),
    'As sealed in the kit. Null if it names none, or its evidence was deleted.',
  ),
  requested_by: Type.Optional(NamedWorkspace()),
  manifest_sha256: Sha256('Hash of the manifest.'),
  manifest_root_hash: Sha256('Merkle tree hash of the artifacts.'),
  canonical_receipt_sha256: Sha256('Hash of the receipt without its signature.'),
  size_bytes: Count('Of `kit.zip`.'),
  sha256: Sha256('Of `kit.zip`.'),
  files: Type.Array(
    Type.Object({
      path: Text,
      sha256: Text,
      size_bytes: Count(),
      kind: OneOf(FILE_KINDS),
      summary: NullableString(
        'What the file says about itself, if it is the output of a known tool: `Prowler 5.9 · account 123456789012 · 12 Nov 2026 · 412 pass, 9 fail`. It is not verified.',
      ),
    }),
  ),
  items: Type.Union(
    [
      Type.Array(
        Type.Object({
          item_id: Text,
          title: Text,
          status: Text,
          files: Type.Array(Text, { description: 'Paths in the kit.' }),
        }),
      ),
      Type.Null(),
    ],
    {
      description:
        'What was asked for, with the status of each item when the kit was sealed. Null if the kit answers no request and is of no period, or if its evidence was deleted.',
    },
  ),
  provenance: ProvenanceEntries(),
  log: Type.Union(
    [
      Type.Object({
        origin: Text,
        index: Type.Integer({ description: 'From 0.' }),
        size: Type.Integer({ description: 'Of the log, in the newest proof.' }),
        cosigned: Type.Array(Type.Object({ name: Text, at: DateTime() }), {
          description: 'The witnesses in the newest proof, as they name themselves.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'The place of the receipt in the log. Null if the log is not available.' },
  ),
  boundary: Boundary(),
})

export type KitDetail = Static<typeof KitDetail>
