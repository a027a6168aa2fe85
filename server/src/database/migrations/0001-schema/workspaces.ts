import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import { changed, createGuards, createIndexes, primaryKey, refersTo, required, stay } from '../parts.ts'

/** Workspaces with their plans, and what may call the API for them. Only hashes of keys are stored. */
export async function createWorkspaces(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('plans')
    .addColumn('plan', 'text', primaryKey)
    .addColumn('api_access', 'integer', required)
    .addColumn('upload_limit_bytes', 'bigint', required)
    .addColumn('unpacked_limit_bytes', 'bigint', required)
    .addColumn('unpacked_files', 'integer', required)
    .addColumn('unpacked_ratio', 'integer', required)
    .addColumn('retention_days', 'integer')
    .addColumn('rate_per_minute', 'integer', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('evidence_policy', 'text', (c) => c.notNull().defaultTo('open'))
    .addColumn('finding_classes', 'text')
    .execute()
  await db.schema
    .createTable('workspaces')
    .addColumn('workspace_id', 'text', primaryKey)
    .addColumn('name', 'text', required)
    .addColumn('plan', 'text', refersTo('plans.plan'))
    .addColumn('public_kits', 'integer', required)
    .addColumn('credits_available', 'bigint', required)
    .addColumn('credits_held', 'bigint', required)
    .addColumn('ledger_entries', 'bigint', required)
    .addColumn('audit_events', 'bigint', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('proposed_name', 'text')
    .addColumn('visibility', 'text', (c) => c.notNull().defaultTo('receipts'))
    .addColumn('audit_head', 'text')
    .addColumn('pins', 'text')
    .execute()
  await createApiKeys(db)
  await createGuards(db, dialect, GUARDS)
}

async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('federations')
    .addColumn('federation_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('label', 'text', required)
    .addColumn('issuer', 'text', required)
    .addColumn('audience', 'text', required)
    .addColumn('claims', 'text', required)
    .addColumn('scopes', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .execute()
  await db.schema
    .createTable('exchanged_tokens')
    .addColumn('sha256', 'text', primaryKey)
    .addColumn('expires_at', 'text', required)
    .execute()
  await db.schema
    .createTable('api_keys')
    .addColumn('key_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('sha256', 'text', (c) => c.notNull().unique())
    .addColumn('label', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('last_used_at', 'text')
    .addColumn('scopes', sql`text`, (c) => c.notNull().defaultTo('submit read requests shares admin'))
    .addColumn('federation_id', sql`text`)
    .execute()
  await createIndexes(db, [
    'index federations_of_workspace on federations (workspace_id)',
    'index exchanged_tokens_by_expiry on exchanged_tokens (expires_at)',
    'index api_keys_of_workspace on api_keys (workspace_id, created_at)',
    'index api_keys_of_federation on api_keys (federation_id) where federation_id is not null',
  ])
}

const visibility = (event: 'insert' | 'update') =>
  ({
    name: `workspaces_visibility_${event}`,
    on: 'workspaces',
    event,
    when: `new.visibility not in ('receipts', 'all', 'none')`,
    message: 'the visibility is receipts, all or none',
  }) as const

const GUARDS = [
  stay('workspaces', 'workspaces are not deleted'),
  {
    name: 'workspaces_credits',
    on: 'workspaces',
    event: 'update',
    when: `new.credits_available < 0 or new.credits_held < 0 or ${changed('workspace_id', 'created_at')}`,
    message: 'credits are not overspent',
  },
  visibility('insert'),
  visibility('update'),
  stay('api_keys', 'keys are not deleted'),
  {
    name: 'api_keys_fixed',
    on: 'api_keys',
    event: 'update',
    when: `${changed('key_id', 'workspace_id', 'sha256', 'created_at')}
      or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)`,
    message: 'a key does not change, and a revoked one stays revoked',
  },
  {
    name: 'api_keys_scopes',
    on: 'api_keys',
    event: 'update',
    when: changed('scopes'),
    message: 'the scopes of a key do not change',
  },
] as const
