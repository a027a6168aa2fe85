import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/**
 * The objects of each kit, condemned objects, expired kits, and leases of maintenance tasks. Triggers reject new records
 * that refer to a condemned object.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('kit_objects')
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('kit_id', 'text', (c) => c.notNull().references('kits.kit_id'))
    .addPrimaryKeyConstraint('kit_objects_primary_key', ['sha256', 'kit_id'])
    .execute()
  await sql`create index kit_objects_of_kit on kit_objects (kit_id)`.execute(db)
  await db.schema
    .createTable('condemned_objects')
    .addColumn('sha256', 'text', (c) => c.primaryKey())
    .addColumn('condemned_at', 'text', (c) => c.notNull())
    .addColumn('removing_at', 'text')
    .execute()
  await db.schema
    .createTable('expired_kits')
    .addColumn('kit_id', 'text', (c) => c.primaryKey().references('kits.kit_id'))
    .addColumn('expired_at', 'text', (c) => c.notNull())
    .addColumn('manifest', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('upkeep')
    .addColumn('task', 'text', (c) => c.primaryKey())
    .addColumn('owner', 'text')
    .addColumn('until', 'text')
    .addColumn('finished_at', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .execute()
  // Kits of a workspace that have not expired, oldest first.
  await sql`create index jobs_issued on jobs (workspace_id, updated_at)
    where status = 'ISSUED' and workspace_id is not null`.execute(db)
  await nameObjectsOfKits(db)
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

const BATCH = 500

async function nameObjectsOfKits(db: Kysely<unknown>): Promise<void> {
  for (let after = ''; ;) {
    const { rows } = await sql<{ kit_id: string; entries: string }>`
      select kit_id, entries from kits where kit_id > ${after} order by kit_id limit ${sql.lit(BATCH)}`.execute(
      db,
    )
    for (const { kit_id, entries } of rows) {
      const objects = (JSON.parse(entries) as readonly { readonly object: string }[]).map(
        ({ object }) => object,
      )
      for (const sha256 of new Set(objects))
        await sql`insert into kit_objects (sha256, kit_id) values (${sha256}, ${kit_id})`.execute(db)
      after = kit_id
    }
    if (rows.length < BATCH) return
  }
}

const NOT_CONDEMNED = {
  event: 'insert',
  when: 'exists (select 1 from condemned_objects where condemned_objects.sha256 = new.sha256)',
  message: 'the object is about to be removed',
} as const

const RULES = [
  { ...NOT_CONDEMNED, name: 'evidence_not_condemned', on: 'evidence' },
  { ...NOT_CONDEMNED, name: 'kit_objects_not_condemned', on: 'kit_objects' },
  {
    name: 'expired_kits_stay',
    on: 'expired_kits',
    event: 'delete',
    when: 'true',
    message: 'what was let go is not forgotten',
  },
  {
    name: 'expired_kits_fixed',
    on: 'expired_kits',
    event: 'update',
    when: 'true',
    message: 'what was let go does not change',
  },
] as const
