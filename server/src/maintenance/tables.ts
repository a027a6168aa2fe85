import type { Database } from '../database/schema.ts'
import { DECLARED } from '../tables.ts'

export interface Table {
  readonly name: keyof Database & string
  /** Primary key, and the order of rows. */
  readonly key: readonly string[]
  /** Rows per page; few if rows can be large. */
  readonly page: number
  /** Columns that differ between versions of a row; all, if absent. A trigger keeps the others from changing. */
  readonly versions?: readonly string[]
}

const table = (name: keyof Database & string, key: readonly string[], page = 500): Table => ({
  name,
  key,
  page,
})

/** Tables in backups and moves, each after the tables that it refers to. */
export const TABLES: readonly Table[] = [
  table('plans', ['plan']),
  table('workspaces', ['workspace_id']),
  table('federations', ['federation_id']),
  table('exchanged_tokens', ['sha256']),
  table('api_keys', ['key_id']),
  table('members', ['member_id']),
  table('invitations', ['invitation_id']),
  table('links', ['link_id']),
  table('passkeys', ['passkey_id']),
  table('operators', ['email']),
  table('jobs', ['job_id']),
  table('signing_keys', ['kid']),
  table('private_keys', ['reference']),
  { ...table('kits', ['kit_id'], 20), versions: ['kit_id', 'zip_sha256', 'log_proof', 'time_stamp'] },
  // In the order of kits, not of hashes, so that new rows follow the old ones.
  table('kit_objects', ['kit_id', 'sha256']),
  table('shares', ['share_id']),
  table('share_kits', ['share_id', 'position']),
  table('share_accesses', ['share_id', 'sequence']),
  table('share_comments', ['comment_id']),
  table('share_reviews', ['share_id', 'kit_id', 'path', 'item_id', 'reviewer', 'basis']),
  table('expired_kits', ['kit_id'], 20),
  table('log', ['id']),
  table('log_leaves', ['leaf_id']),
  table('log_tiles', ['level', 'tile_index'], 50),
  table('log_checkpoints', ['size']),
  table('profiles', ['workspace_id', 'profile', 'version'], 50),
  table('submissions', ['submission_id']),
  table('submission_words', ['workspace_id', 'sequence', 'field', 'word']),
  table('series_kits', ['workspace_id', 'series', 'issued_at', 'sequence']),
  table('series_counts', ['workspace_id', 'series']),
  table('evidence', ['submission_id', 'position']),
  table('requests', ['request_id']),
  table('request_items', ['request_id', 'item_id']),
  table('request_comments', ['request_id', 'number']),
  table('request_rounds', ['request_id', 'round']),
  table('programs', ['program_id']),
  table('program_items', ['program_id', 'item_id']),
  table('program_periods', ['program_id', 'period']),
  table('period_items', ['program_id', 'period', 'item_id']),
  table('period_comments', ['program_id', 'period', 'number']),
  table('holds', ['submission_id']),
  table('unused_objects', ['submission_id', 'sha256']),
  table('credit_ledger', ['workspace_id', 'sequence']),
  table('audit_events', ['workspace_id', 'sequence']),
  table('audit_heads', ['workspace_id', 'count']),
  table('webhooks', ['webhook_id']),
  table('webhook_attempts', ['webhook_id', 'number']),
  table('webhook_keys', ['kid']),
  table('unsubscribes', ['workspace_id', 'email']),
  table('idempotency', ['scope', 'key'], 100),
  ...DECLARED.map(({ name, more }) => table(name as keyof Database, more.key)),
]

/** Transient tables of the running service, which are not copied. */
export const NOT_COPIED: readonly string[] = [
  'sessions',
  'ceremonies',
  'condemned_objects',
  'resumable_uploads',
  'upkeep',
  'daily_counts',
  'deliveries',
  'log_witnesses',
  'schema_version',
]
