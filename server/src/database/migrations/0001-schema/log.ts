import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import { createGuards, createIndexes, fixed, primaryKey, required, stay } from '../parts.ts'

/** The transparency log, its checkpoints, and what is known about witnesses. */
export async function createLog(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('log')
    .addColumn('id', 'integer', primaryKey)
    .addColumn('origin', 'text', required)
    .addColumn('kid', 'text', required)
    .addColumn('x', 'text', required)
    .addColumn('provider', 'text', required)
    .addColumn('reference', 'text', required)
    .addColumn('size', 'bigint', required)
    .addColumn('root', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('frozen_at', 'text')
    .addColumn('frozen_reason', 'text')
    .addColumn('marked', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('log_leaves')
    .addColumn('leaf_id', dialect.name === 'postgres' ? 'bigserial' : 'integer', primaryKey)
    .addColumn('leaf', 'text', required)
    .addColumn('kit_id', 'text', (c) => c.unique().references('kits.kit_id'))
    .addColumn('late', 'integer', required)
    .addColumn('leaf_index', 'bigint', (c) => c.unique())
    .execute()
  await db.schema
    .createTable('log_tiles')
    .addColumn('level', 'integer', required)
    .addColumn('tile_index', 'bigint', required)
    .addColumn('hashes', 'text', required)
    .addColumn('root', 'text', required)
    .addPrimaryKeyConstraint('log_tiles_primary_key', ['level', 'tile_index'])
    .execute()
  await createCheckpoints(db)
  await createIndexes(db, [
    'index log_leaves_waiting on log_leaves (leaf_id) where leaf_index is null',
    'index log_checkpoints_quorum on log_checkpoints (size) where quorum_met = 1',
    'index log_checkpoints_time_stamped on log_checkpoints (size) where time_stamp is not null',
  ])
  await createGuards(db, dialect, GUARDS)
}

async function createCheckpoints(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('log_checkpoints')
    .addColumn('size', 'bigint', primaryKey)
    .addColumn('root', 'text', required)
    .addColumn('note', 'text', required)
    .addColumn('quorum_met', 'integer', required)
    .addColumn('time_stamp', 'text')
    .addColumn('created_at', 'text', required)
    .execute()
  await db.schema
    .createTable('log_witnesses')
    .addColumn('vkey', 'text', primaryKey)
    .addColumn('name', 'text', required)
    .addColumn('size', 'bigint', required)
    .addColumn('cosigned_at', 'text')
    .addColumn('failures', 'bigint', required)
    .addColumn('problem', 'text')
    .execute()
  await db.schema
    .createTable('log_days')
    .addColumn('day', 'text', primaryKey)
    .addColumn('size', 'bigint', required)
    .execute()
}

const GUARDS = [
  {
    name: 'log_grows',
    on: 'log',
    event: 'update',
    when: 'new.size < old.size or (new.size = old.size and new.root <> old.root)',
    message: 'the log never shrinks or changes',
  },
  {
    name: 'log_identity',
    on: 'log',
    event: 'update',
    when: 'new.origin <> old.origin or new.kid <> old.kid or new.x <> old.x',
    message: 'the origin and the key of the log never change',
  },
  stay('log', 'the log is never deleted', 'log_no_delete'),
  {
    name: 'log_leaves_fixed',
    on: 'log_leaves',
    event: 'update',
    when: 'old.leaf_index is not null or new.leaf <> old.leaf',
    message: 'a leaf never changes, and its index is set once',
  },
  stay('log_leaves', 'leaves are never deleted', 'log_leaves_no_delete'),
  fixed('log_tiles', 'tiles never change', 'log_tiles_no_update'),
  stay('log_tiles', 'tiles are never deleted', 'log_tiles_no_delete'),
  {
    name: 'log_checkpoints_fixed',
    on: 'log_checkpoints',
    event: 'update',
    when: 'new.size <> old.size or new.root <> old.root',
    message: 'a checkpoint never gets another root',
  },
  stay('log_checkpoints', 'checkpoints are never deleted', 'log_checkpoints_no_delete'),
] as const
