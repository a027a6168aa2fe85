import { verifySignature } from './crypto/ed25519.ts'
import { fromBase64url, hex, utf8 } from './encoding/bytes.ts'
import { canonicalJson } from './encoding/canonical-json.ts'
import type { Digest } from './encoding/merkle.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import type { Host } from './host.ts'
import { findKey, type Jwks, wasKeyActive } from './jwks.ts'
import { LEAF_VERSION, type LogLeaf, receiptLeaf } from './log/leaf.ts'
import {
  count,
  identifier,
  instant,
  literal,
  nonEmptyString,
  oneOf,
  parseObject,
  type Rule,
  sha256Text,
} from './parsing.ts'
import type { Receipt } from './receipt.ts'

export const ERASURE_VERSION = 'kitseal-erasure-1'

/** erasure.json: says that the evidence of a kit was deleted, when and why. Signed by the issuer of the kit. */
export type Erasure = {
  readonly erasure_version: typeof ERASURE_VERSION
  readonly kit_id: string
  readonly job_id: string
  readonly receipt_sha256: string
  readonly issuer: string
  readonly erased_at: string
  readonly reason: 'retention' | 'request'
  /** The rule, if the reason is retention. */
  readonly rule: string | null
  /** `member:ID` or `key:ID`, if the reason is a request. */
  readonly ordered_by: string | null
  /** Files of evidence, and their size. */
  readonly files: number
  readonly bytes: number
  readonly public_key_kid: string
  readonly signature_algorithm: 'Ed25519'
  readonly signature: string
  readonly boundary: string
}

/** The bytes of an erasure record that are signed. */
export function erasureSignedBytes(erasure: Omit<Erasure, 'signature'>): Uint8Array<ArrayBuffer> {
  const { signature: _, ...rest } = erasure as Erasure
  return utf8(`kitseal erasure v1\n${canonicalJson(rest)}`)
}

/** The leaf of an erasure record in the transparency log. */
export function erasureLeaf(erasure: Erasure, digest: Digest): LogLeaf & { readonly kind: 'erasure' } {
  const erasure_sha256 = hex(digest(canonicalJson(erasure)))
  return {
    leaf_version: LEAF_VERSION,
    kind: 'erasure',
    receipt_sha256: erasure.receipt_sha256,
    erasure_sha256,
  }
}

/**
 * Verifies that an erasure record is about a receipt, and signed with a key of the issuer. Returns what is wrong.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { readFileSync } from 'node:fs'
 * import { readProof, verifyErasure } from '@kitseal/kit'
 * import { nodeHost, readKeySet } from '@kitseal/kit/node'
 *
 * const proof = readProof(readFileSync('users.csv.proof.json'))
 * assert.ok(proof.ok)
 * const problems = await verifyErasure({}, proof.value.receipt, readKeySet('issuer.jwks.json'), nodeHost)
 * assert.ok(problems.length > 0)
 * ```
 */
export async function verifyErasure(
  value: JsonValue,
  receipt: Receipt,
  keys: Jwks,
  host: Host,
): Promise<readonly string[]> {
  const parsed = parseObject<Erasure>('the erasure record', value, RULES)
  if (!parsed.ok) return parsed.problems
  const erasure = { ...parsed.value }
  const problems: string[] = []
  for (const name of ['kit_id', 'job_id', 'issuer'] as const)
    if (erasure[name] !== receipt[name]) problems.push(`${name} differs from the receipt`)
  if (erasure.receipt_sha256 !== receiptLeaf(receipt, host.digest).receipt_sha256)
    problems.push('receipt_sha256 is not that of the receipt')
  const key = findKey(keys, erasure.public_key_kid)
  if (key === undefined) return [...problems, 'the key is not in the key set']
  if (!wasKeyActive(key, erasure.erased_at)) problems.push('the key was not active at that time')
  const [x, signature] = [fromBase64url(key.x), fromBase64url(erasure.signature)]
  const empty = new Uint8Array(0)
  const signed = await verifySignature(x ?? empty, erasureSignedBytes(erasure), signature ?? empty, host)
  return signed.valid ? problems : [...problems, 'the signature is not valid']
}

const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? undefined : rule(value)

const RULES: Readonly<Record<keyof Erasure, Rule>> = {
  erasure_version: literal(ERASURE_VERSION),
  kit_id: identifier,
  job_id: identifier,
  receipt_sha256: sha256Text,
  issuer: nonEmptyString,
  erased_at: instant,
  reason: oneOf(['retention', 'request']),
  rule: orNull(nonEmptyString),
  ordered_by: orNull(nonEmptyString),
  files: count,
  bytes: count,
  public_key_kid: identifier,
  signature_algorithm: literal('Ed25519'),
  signature: identifier,
  boundary: nonEmptyString,
}
