import type { ErrorCode } from '../../kit/src/errors.ts'
import type { JsonValue } from '../../kit/src/encoding/strict-json.ts'
import { canonicalJson } from '../../kit/src/encoding/canonical-json.ts'
import { utf8 } from '../../kit/src/encoding/utf8.ts'
import type { Verdict } from '../../kit/src/verdicts.ts'
import type { Group, Result, TrustNote, Vector } from '../vector.ts'
import { issuedZip } from './archive.ts'
import { draftKit, type Files, type Steps } from './draft.ts'
import { keySetFile } from './key-sets.ts'

type WithoutPlace<V> = V extends Vector ? Omit<V, 'group' | 'file'> : never

/** A vector that is not yet written to disk. */
export type Case = WithoutPlace<Vector> & { readonly content: Uint8Array; readonly evidence?: Uint8Array }

export type Cases = Readonly<Record<Group, readonly Case[]>>

export type Flag = Exclude<keyof Result, 'status' | 'verdict' | 'codes' | 'signer' | 'provenance'>

export const BY_JWKS: TrustNote = { jwks: [keySetFile('issuer')] }

export function passes(signer: Result['signer'] = 'jwks'): Result {
  return result('verified', [], [], signer)
}

/** FAIL with these codes in this order. All booleans are true except those named. */
export function fails(
  codes: Result['codes'],
  untrue: readonly Flag[],
  signer: Result['signer'] = 'jwks',
  verdict: Verdict = 'altered',
): Result {
  return result(verdict, codes, untrue, signer)
}

const FLAGS: readonly Flag[] = [
  'manifest_hash_valid',
  'artifact_hashes_valid',
  'receipt_canonical_hash_valid',
  'ed25519_signature_valid',
  'kid_matched',
]

function result(
  verdict: Verdict,
  codes: Result['codes'],
  untrue: readonly Flag[],
  signer: Result['signer'],
): Result {
  const flags = Object.fromEntries(FLAGS.map((flag) => [flag, !untrue.includes(flag)]))
  const status = verdict === 'verified' ? 'PASS' : 'FAIL'
  return { status, verdict, ...(flags as Record<Flag, boolean>), codes, signer }
}

export const MANIFEST: readonly Flag[] = ['manifest_hash_valid']
export const ARTIFACTS: readonly Flag[] = ['artifact_hashes_valid']
export const RECEIPT: readonly Flag[] = ['receipt_canonical_hash_valid']
export const SIGNATURE: readonly Flag[] = ['ed25519_signature_valid']
export const KEY: readonly Flag[] = ['ed25519_signature_valid', 'kid_matched']

/** The whole archive is refused before its contents are checked. */
export const UNREADABLE: Result = fails(['kit_unreadable'], FLAGS, 'none', 'unreadable')

/** Only the manifest is invalid, so no file can be compared with it. */
export const NO_MANIFEST = fails(['manifest_malformed'], [...MANIFEST, ...ARTIFACTS])

/** Only the receipt is invalid, so nothing can be compared with it. */
export function noReceipt(problems = 1): Result {
  return fails(times('receipt_malformed', problems), [...MANIFEST, ...RECEIPT, ...KEY], 'none')
}

export function times(code: ErrorCode, count: number): readonly ErrorCode[] {
  return Array.from({ length: count }, () => code)
}

export function kit(name: string, content: Uint8Array, expected: Result, trust: TrustNote = BY_JWKS): Case {
  return { name, kind: 'kit', trust, expected, content }
}

/** An issued kit, made with the given overrides. */
export function sealed(name: string, steps: Steps, expected: Result, trust?: TrustNote): Case {
  return kit(name, issuedZip(draftKit(steps).files), expected, trust)
}

/** A kit whose files were changed after sealing and repacked. */
export function repacked(name: string, change: (files: Files) => void, expected: Result): Case {
  return sealed(name, { packed: change }, expected)
}

export function json(value: JsonValue): Uint8Array {
  return utf8(canonicalJson(value))
}
