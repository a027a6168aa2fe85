import { fromBase64url, hex, sameBytes, utf8 } from '../encoding/bytes.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import type { Digest } from '../encoding/merkle.ts'
import { isJsonObject, parseStrictJson } from '../encoding/strict-json.ts'
import {
  count,
  instant,
  literal,
  oneOf,
  optional,
  parseObject,
  type Rule,
  type Rules,
  sha256Text,
} from '../parsing.ts'
import type { Receipt } from '../receipt.ts'
import { malformed } from './note.ts'

export const LEAF_VERSION = 'kitseal-leaf-1'

/** An entry of the log of an issuer. It names no tenant, label or file. */
export type LogLeaf = { readonly leaf_version: typeof LEAF_VERSION } & (
  | {
      readonly kind: 'receipt'
      /** SHA-256 of the canonical receipt with its signature. */
      readonly receipt_sha256: string
      readonly kid: string
      /** Finds two receipts for one job without naming it. */
      readonly job_tag: string
    }
  | {
      readonly kind: 'key'
      readonly kid: string
      readonly event: 'added' | 'retired' | 'revoked' | 'compromised'
      readonly at: string
      /** When a compromised key was first in other hands. */
      readonly since?: string
    }
  | { readonly kind: 'erasure'; readonly receipt_sha256: string; readonly erasure_sha256: string }
  | { readonly kind: 'audit'; readonly audit_tag: string; readonly count: number; readonly head: string }
)

/** Names a job in the log for those who know its ID. */
export const jobTag = (jobId: string, digest: Digest): string => hex(digest(`kitseal job tag v1\n${jobId}`))

/** The leaf of a receipt. A verifier computes it from the receipt and never reads it from the kit. */
export function receiptLeaf(receipt: Receipt, digest: Digest): LogLeaf & { readonly kind: 'receipt' } {
  // Members are in canonical order, which is faster to serialize.
  return {
    job_tag: jobTag(receipt.job_id, digest),
    kid: receipt.public_key_kid,
    kind: 'receipt',
    leaf_version: LEAF_VERSION,
    receipt_sha256: hex(digest(canonicalJson(receipt))),
  }
}

/** The entry of the log: the canonical form of the leaf. */
export function leafBytes(leaf: LogLeaf): Uint8Array {
  return utf8(canonicalJson(leaf))
}

/** Parses an entry of the log. Throws LogFormatError; each leaf has one spelling. */
export function parseLeaf(bytes: Uint8Array): LogLeaf {
  const value = readJson(bytes)
  const kind = isJsonObject(value) ? value.kind : undefined
  const members = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (members === undefined || !isJsonObject(value)) return malformed('the leaf is of an unknown kind')
  const rules = { leaf_version: literal(LEAF_VERSION), kind: literal(String(kind)), ...members }
  const parsed = parseObject<LogLeaf>('the leaf', value, rules)
  if (!parsed.ok) return malformed(`the leaf is malformed: ${parsed.problems.join('; ')}`)
  if (!sameBytes(leafBytes(parsed.value), bytes)) malformed('the leaf is not canonical JSON')
  return { ...parsed.value }
}

function readJson(bytes: Uint8Array): ReturnType<typeof parseStrictJson> {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    return malformed(`the leaf is not strict JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const kid: Rule = (value) =>
  typeof value === 'string' && fromBase64url(value)?.length === 32 ? undefined : 'must be a key ID'
const event = oneOf(['added', 'retired', 'revoked', 'compromised'])

const KINDS: Readonly<Record<string, Rules>> = {
  receipt: { receipt_sha256: sha256Text, kid, job_tag: sha256Text },
  key: { kid, event, at: instant, since: optional(instant) },
  erasure: { receipt_sha256: sha256Text, erasure_sha256: sha256Text },
  audit: { audit_tag: sha256Text, count, head: sha256Text },
}
