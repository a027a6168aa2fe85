import { canonicalJson } from '../encoding/canonical-json.ts'
import { isJsonObject, type JsonValue } from '../encoding/strict-json.ts'
import { LEAF_VERSION, type LogLeaf } from '../log/leaf.ts'
import { literal, nonEmptyString, type Parsed, parseObject, type Rule, sha256Text } from '../parsing.ts'

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
