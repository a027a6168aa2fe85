import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Checkpoints with the cosignatures of witnesses, and what is known about each witness. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('log_checkpoints')
    .addColumn('size', 'bigint', (c) => c.primaryKey())
    .addColumn('root', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('quorum_met', 'integer', (c) => c.notNull())
    .addColumn('time_stamp', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await sql`create index log_checkpoints_quorum on log_checkpoints (size) where quorum_met = 1`.execute(db)
  await db.schema
    .createTable('log_witnesses')
    .addColumn('vkey', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('cosigned_at', 'text')
    .addColumn('failures', 'bigint', (c) => c.notNull())
    .addColumn('problem', 'text')
    .execute()
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

const RULES = [
  {
    name: 'log_checkpoints_fixed',
    on: 'log_checkpoints',
    event: 'update',
    when: 'new.size <> old.size or new.root <> old.root',
    message: 'a checkpoint never gets another root',
  },
  {
    name: 'log_checkpoints_no_delete',
    on: 'log_checkpoints',
    event: 'delete',
    when: 'true',
    message: 'checkpoints are never deleted',
  },
] as const
