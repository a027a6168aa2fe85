import type { ErrorCode } from '../../../kit/src/errors.ts'
import type { Receipt } from '../../../kit/src/receipt.ts'
import type { Result } from '../../vector.ts'
import {
  type Case,
  fails,
  type Flag,
  KEY,
  MANIFEST,
  noReceipt,
  RECEIPT,
  repacked,
  sealed,
  SIGNATURE,
} from '../case.ts'
import { draftKit } from '../draft.ts'
import { forger } from '../keys.ts'
import { edit, slug } from './changed-files.ts'

interface Change {
  readonly to: string
  /** The remaining errors after the receipt's hash and its copies in the envelope were recomputed. */
  readonly codes?: readonly ErrorCode[]
  readonly untrue?: readonly Flag[]
  /** When there is no key to check the signature with. */
  readonly keyless?: true
  readonly malformed?: true
}

const DISAGREES: Change['codes'] = ['receipt_manifest_mismatch']

/** Each receipt member with another value, a valid one if possible. */
const CHANGES: Readonly<Record<Exclude<keyof Receipt, 'canonical_receipt_sha256' | 'signature'>, Change>> = {
  receipt_version: { to: 'FES-2.0', malformed: true },
  job_id: { to: 'job_other', codes: DISAGREES, untrue: MANIFEST },
  kit_id: {
    to: 'kit_other',
    codes: ['kit_unreadable', 'receipt_manifest_mismatch'],
    untrue: [...MANIFEST, 'artifact_hashes_valid'],
  },
  issued_at: { to: '2026-05-05T12:00:00.001Z', codes: DISAGREES, untrue: MANIFEST },
  issuer: { to: 'https://other.example' },
  public_key_kid: { to: forger.kid, keyless: true },
  manifest_sha256: { to: '0'.repeat(64), codes: ['manifest_hash_mismatch'], untrue: MANIFEST },
  manifest_root_hash: { to: '0'.repeat(64), codes: ['root_hash_mismatch'], untrue: MANIFEST },
  signature_algorithm: { to: 'none', malformed: true },
  scope: { to: 'Everything' },
  boundary: { to: 'A compliance guarantee.' },
}

const honest = draftKit().receipt

/** Receipts that were edited without the issuer's key. */
export const changedReceipts: readonly Case[] = Object.entries(CHANGES).map(([member, change]) =>
  repacked(
    `another-${slug(member)}-in-receipt-json-fails`,
    (files) => edit<object>(files, 'receipt.json', (receipt) => ({ ...receipt, [member]: change.to })),
    edited(change),
  ),
)

/** The same with everything but the signature recomputed. */
export const remadeReceipts: readonly Case[] = Object.entries(CHANGES)
  .filter(([, change]) => !change.malformed)
  .map(([member, change]) =>
    sealed(
      `another-${slug(member)}-with-all-hashes-made-anew-fails`,
      {
        receipt: (receipt) => ({ ...receipt, [member]: change.to }),
        signedReceipt: (receipt) => ({ ...receipt, signature: honest.signature }),
      },
      remade(change),
    ),
  )

export const changedHashAndSignature: readonly Case[] = [
  repacked(
    'another-canonical-receipt-sha256-in-receipt-json-fails',
    (files) =>
      edit<object>(files, 'receipt.json', (receipt) => ({
        ...receipt,
        canonical_receipt_sha256: '0'.repeat(64),
      })),
    fails(['receipt_hash_mismatch', 'envelope_mismatch', 'signature_invalid'], [...RECEIPT, ...SIGNATURE]),
  ),
  repacked(
    'another-signature-in-receipt-json-fails',
    (files) =>
      edit<object>(files, 'receipt.json', (receipt) => ({ ...receipt, signature: forgedSignature() })),
    fails(['envelope_mismatch', 'signature_invalid'], SIGNATURE),
  ),
  sealed(
    'another-signature-in-all-its-copies-fails',
    { sign: forger.sign },
    fails(['signature_invalid'], SIGNATURE),
  ),
  sealed(
    'the-signature-of-another-receipt-fails',
    { sign: () => Buffer.from(draftKit({ scope: 'Another scope' }).receipt.signature, 'base64url') },
    fails(['signature_invalid'], SIGNATURE),
  ),
]

function edited({ codes = [], untrue = [], malformed, keyless }: Change): Result {
  if (malformed) return noReceipt()
  if (keyless)
    return fails(
      ['receipt_hash_mismatch', 'envelope_mismatch', 'key_not_in_jwks'],
      [...RECEIPT, ...KEY],
      'none',
    )
  return fails(
    [...codes, 'receipt_hash_mismatch', 'envelope_mismatch', 'signature_invalid'],
    [...untrue, ...RECEIPT, ...SIGNATURE],
  )
}

function remade({ codes = [], untrue = [], keyless }: Change): Result {
  if (keyless) return fails(['key_not_in_jwks'], KEY, 'none', 'signer_unknown')
  return fails([...codes, 'signature_invalid'], [...untrue, ...SIGNATURE])
}

function forgedSignature(): string {
  return draftKit({ sign: forger.sign }).receipt.signature
}
