import type { Kysely } from 'kysely'
import { createIndexes } from './parts.ts'

/** Keys and federations end with the credential that made them. Of those that exist, it is unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('created_by', 'text').execute()
  await db.schema.alterTable('federations').addColumn('created_by', 'text').execute()
  await db.schema.alterTable('federations').addColumn('expires_at', 'text').execute()
  await createIndexes(db, [
    'index api_keys_by_maker on api_keys (created_by) where created_by is not null',
    'index federations_by_maker on federations (created_by) where created_by is not null',
  ])
}
