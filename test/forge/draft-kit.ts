import { bagFiles, SUMS_PATH, sumsFile } from '../../kit/src/seal.ts'
import {
  BOUNDARY,
  canonicalReceiptSha256,
  type Receipt,
  RECEIPT_VERSION,
  signedBytes,
} from '../../kit/src/receipt.ts'
import { base64url, hex, utf8 } from '../../kit/src/encoding/bytes.ts'
import { canonicalJson } from '../../kit/src/encoding/canonical-json.ts'
import type { JsonValue } from '../../kit/src/encoding/strict-json.ts'
import { ENVELOPE, LOG_PROOF_PATH, TIME_STAMP_PATH } from '../../kit/src/envelope.ts'
import { type Artifact, type Manifest, manifestRootHash, manifestSha256 } from '../../kit/src/manifest.ts'
import { comparePaths } from '../../kit/src/paths.ts'
import { sha256 } from '../../kit/src/crypto/sha256.ts'
import { BORN, ISSUED_AT, issuer, jwk } from './keys.ts'

export const KIT_ID = 'kit_VectorsVectorsVectors0'
export const JOB_ID = 'job_VectorsVectorsVectors0'
export const ISSUER = 'https://issuer.example'
export const SCOPE = 'Access review, third quarter'

export type Files = Map<string, Uint8Array>
type Loose = Record<string, JsonValue>

/** Hooks to change a kit while it is sealed. Later steps are computed from the changed data. */
export interface Steps {
  readonly evidence?: Readonly<Record<string, string | Uint8Array>>
  readonly issuer?: string
  readonly scope?: string
  readonly issuedAt?: string
  readonly jwks?: JsonValue
  readonly kid?: string
  /** The artifacts, before they are listed. */
  readonly artifacts?: (files: Files) => void
  readonly listed?: (list: Artifact[]) => Artifact[]
  readonly manifest?: (manifest: Loose) => Loose
  readonly hashedManifest?: (manifest: Loose) => Loose
  readonly receipt?: (receipt: Loose) => Loose
  readonly hashedReceipt?: (receipt: Loose) => Loose
  readonly sign?: (message: Uint8Array) => Uint8Array
  readonly signedReceipt?: (receipt: Loose) => Loose
  readonly logProof?: (receipt: Receipt) => Uint8Array
  readonly timeStamp?: (receipt: Receipt) => Uint8Array
  /** All files of the kit, before they are packed. */
  readonly packed?: (files: Files) => void
}

export interface Draft {
  readonly manifest: Manifest
  readonly receipt: Receipt
  /** In the order of kit.zip. */
  readonly files: Files
}

export const LETTER = 'data/letter.txt'
export const EVIDENCE = {
  'binder.pdf': '%PDF-1.7 a binder\n',
  'data/ledger.csv': 'date,amount\n2026-05-01,12\n',
  [LETTER]: 'To whom it may concern\n',
  'reports/intake.json': '{"files":2}',
}

/** Seals a small kit and calls the hooks after each step. Checks nothing. */
export function draftKit(steps: Steps = {}): Draft {
  const keySet = utf8(canonicalJson(steps.jwks ?? { keys: [jwk(issuer.x, BORN)] }))
  const artifacts = artifactFiles(steps, keySet)
  steps.artifacts?.(artifacts)
  const list = steps.listed?.(listOf(artifacts)) ?? listOf(artifacts)
  const manifest = makeManifest(steps, list)
  const receipt = makeReceipt(steps, manifest, list)
  const envelope: Files = new Map([
    [ENVELOPE.keySet, keySet],
    [ENVELOPE.manifest, utf8(canonicalJson(manifest))],
    [ENVELOPE.canonicalReceipt, signedBytes(receipt)],
    [ENVELOPE.receipt, utf8(canonicalJson(receipt))],
    [ENVELOPE.signature, Buffer.from(receipt.signature, 'base64url')],
  ])
  if (steps.logProof !== undefined) envelope.set(LOG_PROOF_PATH, steps.logProof(receipt))
  if (steps.timeStamp !== undefined) envelope.set(TIME_STAMP_PATH, steps.timeStamp(receipt))
  const files = new Map([...sorted(artifacts), ...sorted(envelope)])
  steps.packed?.(files)
  return { manifest, receipt, files }
}

/** The manifest entries of files. */
export function listOf(files: Files): Artifact[] {
  return [...sorted(files)].map(([path, bytes]) => ({
    path,
    sha256: hex(sha256(bytes)),
    size_bytes: bytes.length,
  }))
}

function artifactFiles(steps: Steps, keySet: Uint8Array): Files {
  const files: Files = new Map()
  for (const [path, content] of Object.entries(steps.evidence ?? EVIDENCE))
    files.set(path, typeof content === 'string' ? utf8(content) : content)
  const input = {
    kitId: KIT_ID,
    jobId: JOB_ID,
    issuedAt: steps.issuedAt ?? ISSUED_AT,
    issuer: steps.issuer ?? ISSUER,
  }
  for (const { path, bytes } of bagFiles(input, measured(files), hex(sha256(keySet)))) files.set(path, bytes)
  return files.set(SUMS_PATH, sumsFile(measured(files)))
}

function measured(files: Files): readonly { path: string; sha256: string; sizeBytes: number }[] {
  return listOf(files).map((listed) => ({
    path: listed.path,
    sha256: listed.sha256,
    sizeBytes: listed.size_bytes,
  }))
}

function makeManifest(steps: Steps, artifacts: Artifact[]): Manifest {
  const plain: Loose = {
    receipt_version: RECEIPT_VERSION,
    kit_id: KIT_ID,
    job_id: JOB_ID,
    issued_at: steps.issuedAt ?? ISSUED_AT,
    artifacts,
    boundary: BOUNDARY,
  }
  const open = steps.manifest?.(plain) ?? plain
  const hashed = { ...open, manifest_sha256: manifestSha256(open as unknown as Manifest, sha256) }
  return (steps.hashedManifest?.(hashed) ?? hashed) as unknown as Manifest
}

function makeReceipt(steps: Steps, manifest: Manifest, artifacts: readonly Artifact[]): Receipt {
  const plain: Loose = {
    receipt_version: RECEIPT_VERSION,
    job_id: JOB_ID,
    kit_id: KIT_ID,
    issued_at: steps.issuedAt ?? ISSUED_AT,
    issuer: steps.issuer ?? ISSUER,
    public_key_kid: steps.kid ?? issuer.kid,
    manifest_sha256: manifestSha256(manifest, sha256),
    manifest_root_hash: manifestRootHash(artifacts, sha256),
    signature_algorithm: 'Ed25519',
    scope: steps.scope ?? SCOPE,
    boundary: BOUNDARY,
  }
  const open = steps.receipt?.(plain) ?? plain
  const whole = {
    ...open,
    canonical_receipt_sha256: canonicalReceiptSha256(open as unknown as Receipt, sha256),
  }
  const hashed = steps.hashedReceipt?.(whole) ?? whole
  const message = signedBytes(hashed as unknown as Receipt)
  const signed = { ...hashed, signature: base64url((steps.sign ?? issuer.sign)(message)) }
  return (steps.signedReceipt?.(signed) ?? signed) as unknown as Receipt
}

function sorted(files: Files): Files {
  return new Map([...files].toSorted(([a], [b]) => comparePaths(a, b)))
}
