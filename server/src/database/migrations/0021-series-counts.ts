import { type Kysely, sql } from 'kysely'
import { refersTo, required } from './parts.ts'

/** How many kits a series has, so that a list of series does not count them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('series_counts')
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('series', 'text', required)
    .addColumn('kits', 'bigint', required)
    .addPrimaryKeyConstraint('series_counts_primary_key', ['workspace_id', 'series'])
    .execute()
  await sql`insert into series_counts (workspace_id, series, kits)
    select workspace_id, series, count(*) from series_kits group by workspace_id, series`.execute(db)
}
