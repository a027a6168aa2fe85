import type { ApiKeyId, KitId, MemberId } from '../runtime/identifiers.ts'
import { column, table } from './table.ts'

/** What is proved: the transparency log, and the audit log of each workspace. */
export const logTables = {
  /** One row, created with the log's key. */
  log: table('log', {
    id: column.integer(),
    /** Identifies the log in checkpoints. Never changes. */
    origin: column.text(),
    /** The log's own Ed25519 key, which never changes. */
    kid: column.text(),
    x: column.text(),
    provider: column.oneOf('file', 'pkcs11', 'database'),
    reference: column.text(),
    size: column.count(),
    /** Base64. */
    root: column.text(),
    updated_at: column.updated(),
    /** Null unless the log is frozen: nothing is sequenced, signed or issued. */
    frozen_at: column.time().nullable(),
    frozen_reason: column.text().nullable(),
    /** 1 once a size was recorded in the high-water mark. */
    marked: column.boolean(),
  })
    .primaryKey('id')
    .guard(
      'grows',
      'update',
      'the log never shrinks or changes',
      'new.size < old.size or (new.size = old.size and new.root <> old.root)',
    )
    .keeps('identity', 'the origin and the key of the log never change', ['origin', 'kid', 'x'])
    .stays('the log is never deleted'),

  /** Leaves are added with the change that they record, and get their index later. */
  log_leaves: table('log_leaves', {
    leaf_id: column.numbered(),
    /** Canonical JSON. */
    leaf: column.text(),
    /** The kit of a receipt; null for other leaves. */
    kit_id: column.refersTo<KitId>('kits (kit_id)').nullable(),
    /** Null until the leaf is in the tree. */
    leaf_index: column.count().nullable(),
  })
    .primaryKey('leaf_id')
    .unique(['kit_id'])
    .unique(['leaf_index'])
    .index(['leaf_id'], 'leaf_index is null', 'log_leaves_waiting')
    .keeps('fixed', 'a leaf never changes, and its index is set once', ['leaf'], 'old.leaf_index is not null')
    .stays('leaves are never deleted'),

  /** Full tiles. Partial ones are computed. */
  log_tiles: table('log_tiles', {
    level: column.count(),
    tile_index: column.count(),
    /** Base64 of 256 hashes. */
    hashes: column.text(),
    /** Base64 of the hash of the tile, which is one hash of the level above. */
    root: column.text(),
  })
    .primaryKey('level', 'tile_index')
    .fixed('tiles never change')
    .stays('tiles are never deleted'),

  /** Checkpoints that were sent to witnesses. Without witnesses there are none. */
  log_checkpoints: table('log_checkpoints', {
    size: column.count(),
    /** Base64. */
    root: column.text(),
    /** The signed note: the signature of the log, and the cosignatures that were verified. */
    note: column.text(),
    /** 1 if the quorum of the policy at that time was met. */
    quorum_met: column.boolean(),
    time_stamp: column.text().nullable(),
    created_at: column.created(),
  })
    .primaryKey('size')
    .index(['size'], 'quorum_met = 1', 'log_checkpoints_quorum')
    .index(['size'], 'time_stamp is not null', 'log_checkpoints_time_stamped')
    .keeps('fixed', 'a checkpoint never gets another root', ['size', 'root'])
    .stays('checkpoints are never deleted'),

  /** What the service knows about a witness, shared by all nodes. */
  log_witnesses: table('log_witnesses', {
    vkey: column.text(),
    /** Its name in the policy. */
    name: column.text(),
    /** The size that it cosigned last. */
    size: column.count(),
    cosigned_at: column.time().nullable(),
    failures: column.count(),
    /** Null if the last request succeeded. */
    problem: column.text().nullable(),
  }).primaryKey('vkey'),

  audit_events: table('audit_events', {
    workspace_id: column.owner(),
    sequence: column.count(),
    at: column.time(),
    /** `link`: someone with a link of `links`. `anonymous`: anyone with a public link. */
    actor: column.oneOf('key', 'member', 'operator', 'service', 'link', 'anonymous'),
    key_id: column.text<ApiKeyId>().nullable(),
    member_id: column.text<MemberId>().nullable(),
    action: column.text(),
    /** ID of what changed. */
    subject: column.text(),
    /** JSON. Never contains secrets or evidence. */
    details: column.text(),
    /** Hash of the event before. */
    prev: column.text(),
    hash: column.text(),
  })
    .primaryKey('workspace_id', 'sequence')
    // For the history of one subject. Jobs are excluded: they are most of the events, and their history is never shown.
    .index(['subject', 'sequence'], `action <> 'job.created'`, 'audit_events_of_subject')
    .stays('events are only added')
    .fixed('events are only added')
    .guard(
      'chain',
      'insert',
      'an event follows the newest one',
      `new.sequence > 1 and not exists (select 1 from audit_events where
        audit_events.workspace_id = new.workspace_id and audit_events.sequence = new.sequence - 1
        and audit_events.hash = new.prev)`,
    )
    // So that the statement that locks the workspace also returns the hash of the newest event.
    .after(
      'head',
      'insert',
      'true',
      'update workspaces set audit_head = new.hash where workspace_id = new.workspace_id;',
    ),

  /** States of audit logs that are in the transparency log. */
  audit_heads: table('audit_heads', {
    workspace_id: column.owner(),
    /** Sequence number of the newest event. */
    count: column.count(),
    /** Its hash. */
    head: column.text(),
    /** Null only within the transaction that adds it. */
    leaf_id: column.refersToNumber('log_leaves (leaf_id)').nullable(),
    logged_at: column.time(),
  })
    .primaryKey('workspace_id', 'count')
    .stays('heads are only added')
    .fixed('heads are only added', ['leaf_id'], 'old.leaf_id is not null'),
}
