import { type Kysely, sql } from 'kysely'

/** Issuers whose tokens a workspace accepts, and the tokens that were exchanged already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('federations')
    .addColumn('federation_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('audience', 'text', (c) => c.notNull())
    .addColumn('claims', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await sql`create index federations_of_workspace on federations (workspace_id)`.execute(db)
  await db.schema
    .createTable('exchanged_tokens')
    .addColumn('sha256', 'text', (c) => c.primaryKey())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
  await sql`create index exchanged_tokens_by_expiry on exchanged_tokens (expires_at)`.execute(db)
  await sql`alter table api_keys add column federation_id text`.execute(db)
  await sql`create index api_keys_of_federation on api_keys (federation_id)
    where federation_id is not null`.execute(db)
}
