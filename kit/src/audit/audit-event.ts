import { canonicalJson } from '../encoding/canonical-json.ts'
import { hex } from '../encoding/hex.ts'
import type { Digest } from '../encoding/merkle.ts'
import type { JsonObject } from '../encoding/strict-json.ts'

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
