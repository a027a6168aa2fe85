import { fromBase64url, hex, utf8 } from './encoding/bytes.ts'
import { canonicalJson } from './encoding/canonical-json.ts'
import type { Digest } from './encoding/merkle.ts'
import type { JsonValue } from './encoding/strict-json.ts'
import {
  identifier,
  instant,
  literal,
  nonEmptyString,
  type Parsed,
  parseObject,
  type Rule,
  sha256Text,
} from './parsing.ts'
import { english } from './texts/english.ts'

export const RECEIPT_VERSION = 'FES-1.0-preview'

export const BOUNDARY = english('kit.boundary')

export const LONG_BOUNDARY =
  'This service records supplied evidence and lets anyone check that a kit is what was issued, by whom and when. ' +
  'A successful verification proves that the files match the manifest, that the manifest matches the receipt, that the ' +
  "receipt's key ID matches a public key, that the receipt's signature verifies, and that the kit has not been modified " +
  'since issuance. It does not prove the compliance or security status of a company, that controls operate effectively, ' +
  'that a buyer, auditor, insurer, bank, regulator or payment service provider accepted the packet, or that the evidence ' +
  'is legally sufficient. The service does not certify, audit, give legal approval, insure, or independently verify ' +
  'supplied claims. The customer remains responsible for the submitted evidence.'

export type Receipt = {
  readonly receipt_version: string
  readonly job_id: string
  readonly kit_id: string
  readonly issued_at: string
  readonly issuer: string
  readonly public_key_kid: string
  readonly manifest_sha256: string
  readonly manifest_root_hash: string
  readonly canonical_receipt_sha256: string
  readonly signature_algorithm: 'Ed25519'
  readonly signature: string
  readonly scope: string
  readonly boundary: string
}

/**
 * Parses a receipt. Unknown, missing or mistyped members are rejected.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { parseReceipt, parseStrictJson } from '@kitseal/kit'
 * import { openKit } from '@kitseal/kit/node'
 *
 * using kit = await openKit('kit.zip')
 * const receipt = parseReceipt(parseStrictJson(await kit.read('receipt.json', 256_000)))
 * assert.ok(receipt.ok)
 * assert.equal(receipt.value.issuer, 'https://issuer.example')
 * ```
 */
export function parseReceipt(value: JsonValue): Parsed<Receipt> {
  return parseObject<Receipt>('the receipt', value, RECEIPT_RULES)
}

type UnsignedReceipt = Omit<Receipt, 'canonical_receipt_sha256' | 'signature'>

/** The SHA-256 of the canonical receipt without its hash and signature, in hex. */
export function canonicalReceiptSha256(receipt: UnsignedReceipt, digest: Digest): string {
  const { canonical_receipt_sha256: _hash, signature: _signature, ...rest } = receipt as Receipt
  return hex(digest(canonicalJson(rest)))
}

/** The bytes that are signed, as in receipt.canonical.json. */
export function signedBytes(receipt: Omit<Receipt, 'signature'>): Uint8Array<ArrayBuffer> {
  const { signature: _, ...rest } = receipt as Receipt
  return utf8(canonicalJson(rest))
}

function base64urlBytes(byteLength: number): Rule {
  return (value) =>
    typeof value === 'string' && fromBase64url(value)?.length === byteLength
      ? undefined
      : `must be ${byteLength} bytes in base64url`
}

const RECEIPT_RULES: Readonly<Record<keyof Receipt, Rule>> = {
  receipt_version: literal(RECEIPT_VERSION),
  job_id: identifier,
  kit_id: identifier,
  issued_at: instant,
  issuer: nonEmptyString,
  public_key_kid: base64urlBytes(32),
  manifest_sha256: sha256Text,
  manifest_root_hash: sha256Text,
  canonical_receipt_sha256: sha256Text,
  signature_algorithm: literal('Ed25519'),
  signature: base64urlBytes(64),
  scope: nonEmptyString,
  boundary: nonEmptyString,
}
