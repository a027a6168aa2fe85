import type { Kysely } from 'kysely'
import type { GuardTrigger } from '../../dialect.ts'
import { createIndexes, primaryKey, required } from '../parts.ts'

/** Condemned and locked objects, and the leases of maintenance tasks. */
export async function createObjects(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('condemned_objects')
    .addColumn('sha256', 'text', primaryKey)
    .addColumn('condemned_at', 'text', required)
    .addColumn('removing_at', 'text')
    .execute()
  await db.schema
    .createTable('upkeep')
    .addColumn('task', 'text', primaryKey)
    .addColumn('owner', 'text')
    .addColumn('until', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('state', 'text', required)
    .execute()
  await createIndexes(db, [
    'index condemned_objects_due on condemned_objects (condemned_at, sha256) where removing_at is null',
    'index condemned_objects_removing on condemned_objects (removing_at, sha256) where removing_at is not null',
  ])
}

/** No new row refers to a condemned object. */
export const notCondemned = (on: string): GuardTrigger => ({
  name: `${on}_not_condemned`,
  on,
  event: 'insert',
  when: 'exists (select 1 from condemned_objects where condemned_objects.sha256 = new.sha256)',
  message: 'the object is about to be removed',
})
