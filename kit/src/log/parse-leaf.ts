import { fromBase64url } from '../encoding/base64url.ts'
import { isJsonObject, parseStrictJson } from '../encoding/strict-json.ts'
import { sameBytes } from '../encoding/utf8.ts'
import { instant, literal, parseObject, type Rule, sha256Text } from '../parsing.ts'
import { LEAF_VERSION, leafBytes, type LogLeaf } from './leaf.ts'
import { malformed } from './log-format.ts'

/** Parses an entry of the log. Throws LogFormatError; each leaf has one spelling. */
export function parseLeaf(bytes: Uint8Array): LogLeaf {
  const value = readJson(bytes)
  const kind = isJsonObject(value) ? value.kind : undefined
  const members = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (members === undefined || !isJsonObject(value)) return malformed('the leaf is of an unknown kind')
  const { since, ...required } = members
  const optional: Record<string, Rule> = since === undefined || value.since === undefined ? {} : { since }
  const rules = { leaf_version: literal(LEAF_VERSION), kind: literal(String(kind)), ...required, ...optional }
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
const count: Rule = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : 'must be a non-negative integer'
const event: Rule = (value) =>
  typeof value === 'string' && ['added', 'retired', 'revoked', 'compromised'].includes(value)
    ? undefined
    : 'must be added, retired, revoked or compromised'

const KINDS: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  receipt: { receipt_sha256: sha256Text, kid, job_tag: sha256Text },
  key: { kid, event, at: instant, since: instant },
  erasure: { receipt_sha256: sha256Text, erasure_sha256: sha256Text },
  audit: { audit_tag: sha256Text, count, head: sha256Text },
}
