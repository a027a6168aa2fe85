import { fromUtf8, hex, joined } from '../encoding/bytes.ts'
import { canonicalJson } from '../encoding/canonical-json.ts'
import type { Digest } from '../encoding/merkle.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseStrictJson } from '../encoding/strict-json.ts'
import { LEAF_VERSION, type LogLeaf } from '../log/leaf.ts'
import { literal, nonEmptyString, type Parsed, parseObject, type Rule, sha256Text } from '../parsing.ts'

/** An event of an audit log, without its hash. */
export interface UnhashedAuditEvent {
  /** From 1, without gaps. */
  readonly seq: number
  /** `hash` of the event before. The first event has the audit tag of its workspace. */
  readonly prev: string
  readonly at: string
  readonly actor: string
  readonly key_id: string | null
  readonly member_id: string | null
  readonly action: string
  readonly subject: string
  readonly details: JsonObject
}

/** An event as it is exported. */
export interface AuditEvent extends UnhashedAuditEvent {
  readonly hash: string
}

/** The hash of an event. It covers every member, and through `prev` all events before it. */
export function auditEventHash(event: UnhashedAuditEvent, digest: Digest): string {
  return hashOfMembers({ ...event }, digest)
}

/** Also for events with members of a newer release. */
export function hashOfMembers(event: JsonObject, digest: Digest): string {
  return hex(digest(`kitseal audit event v1\n${canonicalJson(event)}`))
}

/**
 * Identifies the audit log of a workspace in the transparency log. The secret keeps those who know the ID of the workspace,
 * which is in its kits, from finding it there.
 */
export function auditTag(workspaceId: string, secret: string, digest: Digest): string {
  return hex(digest(`kitseal audit tag v2\n${workspaceId}\n${secret}`))
}

export const AUDIT_VERSION = 'kitseal-audit-1'

/** The state of an audit log, with the proof that it is in the transparency log. The last line of an export. */
export interface AuditHead {
  readonly audit_version: typeof AUDIT_VERSION
  readonly audit_tag: string
  /** `seq` of the newest event. */
  readonly count: number
  /** `hash` of the newest event. */
  readonly head: string
  /** A tlog-proof of the leaf with these members. */
  readonly log_proof: string
  /** What the audit tag was made from. Only in exports, and not of workspaces whose tag has no secret. */
  readonly workspace_id?: string
  readonly audit_secret?: string
}

/** The leaf of an audit log in the transparency log. */
export function auditLeaf({
  audit_tag,
  count,
  head,
}: Pick<AuditHead, 'audit_tag' | 'count' | 'head'>): LogLeaf & { readonly kind: 'audit' } {
  return { leaf_version: LEAF_VERSION, kind: 'audit', audit_tag, count, head }
}

/** The line of an event or a head in an export: canonical JSON and a line feed. */
export function auditLine(value: object): string {
  return `${canonicalJson({ ...value } as JsonValue)}\n`
}

/** Parses a head. Its log proof is not verified: use verifyAuditLog(). */
export function parseAuditHead(value: JsonValue): Parsed<AuditHead> {
  const hasSecret = isJsonObject(value) && Object.hasOwn(value, 'audit_secret')
  return parseObject<AuditHead>('the head', value, hasSecret ? { ...HEAD, ...SECRET } : HEAD)
}

const positiveCount: Rule = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? undefined
    : 'must be a positive integer'

const HEAD = {
  audit_version: literal(AUDIT_VERSION),
  audit_tag: sha256Text,
  count: positiveCount,
  head: sha256Text,
  log_proof: nonEmptyString,
}

const SECRET = { workspace_id: nonEmptyString, audit_secret: nonEmptyString }

/** Larger than any event. */
const MAX_LINE_BYTES = 1024 * 1024

/** The lines of an export, or what is wrong with one. Every line has one spelling: canonical JSON and a line feed. */
export async function* readAuditLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<JsonObject | string> {
  let rest = new Uint8Array(0)
  for await (const chunk of chunks) {
    let bytes: Uint8Array = joined([rest, chunk])
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      yield parseLine(bytes.subarray(0, end))
      bytes = bytes.subarray(end + 1)
    }
    rest = bytes.slice()
    if (rest.length > MAX_LINE_BYTES) {
      yield 'is longer than 1 MiB'
      return
    }
  }
  if (rest.length > 0) yield 'does not end with a line feed'
}

function parseLine(bytes: Uint8Array): JsonObject | string {
  const text = fromUtf8(bytes)
  try {
    const value = parseStrictJson(text ?? bytes)
    if (!isJsonObject(value)) return 'is not a JSON object'
    return canonicalJson(value) === text ? value : 'is not canonical JSON'
  } catch (error) {
    return `is not strict JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}
