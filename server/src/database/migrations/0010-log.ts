import { leafBytes, type LogLeaf, LEAF_VERSION, type Receipt, receiptLeaf } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** The transparency log, with a leaf for each key and each kit that exists already. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('log')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('kid', 'text', (c) => c.notNull())
    .addColumn('x', 'text', (c) => c.notNull())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('reference', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('root', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('log_leaves')
    .addColumn('leaf_id', dialect.name === 'postgres' ? 'bigserial' : 'integer', (c) =>
      dialect.name === 'postgres' ? c.primaryKey() : c.primaryKey().autoIncrement(),
    )
    .addColumn('leaf', 'text', (c) => c.notNull())
    .addColumn('kit_id', 'text', (c) => c.unique().references('kits.kit_id'))
    .addColumn('late', 'integer', (c) => c.notNull())
    .addColumn('leaf_index', 'bigint', (c) => c.unique())
    .execute()
  await sql`create index log_leaves_waiting on log_leaves (leaf_id) where leaf_index is null`.execute(db)
  await db.schema
    .createTable('log_tiles')
    .addColumn('level', 'integer', (c) => c.notNull())
    .addColumn('tile_index', 'bigint', (c) => c.notNull())
    .addColumn('hashes', 'text', (c) => c.notNull())
    .addColumn('root', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('log_tiles_primary_key', ['level', 'tile_index'])
    .execute()
  await addKeyLeaves(db)
  await addReceiptLeaves(db)
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

async function addKeyLeaves(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    kid: string
    created_at: string
    retired_at: string | null
    revoked_at: string | null
  }>`select kid, created_at, retired_at, revoked_at from signing_keys`.execute(db)
  const events = rows.flatMap(({ kid, ...row }) =>
    KEY_EVENTS.flatMap(({ event, column }) => {
      const at = row[column]
      return at === null ? [] : { kid, event, at }
    }),
  )
  for (const event of events.toSorted((a, b) => (a.at < b.at ? -1 : 1)))
    await addLeaf(db, { leaf_version: LEAF_VERSION, kind: 'key', ...event }, null)
}

const KEY_EVENTS = [
  { event: 'added', column: 'created_at' },
  { event: 'retired', column: 'retired_at' },
  { event: 'revoked', column: 'revoked_at' },
] as const

const BATCH = 500

async function addReceiptLeaves(db: Kysely<unknown>): Promise<void> {
  for (let after = { issued_at: '', kit_id: '' }; ;) {
    const { rows } = await sql<{ kit_id: string; issued_at: string; receipt: string }>`
      select kit_id, issued_at, receipt from kits
      where (issued_at, kit_id) > (${after.issued_at}, ${after.kit_id})
      order by issued_at, kit_id limit ${sql.lit(BATCH)}`.execute(db)
    for (const { kit_id, receipt } of rows)
      await addLeaf(db, receiptLeaf(JSON.parse(receipt) as Receipt, nodeHost.digest), kit_id)
    if (rows.length < BATCH) return
    after = rows.at(-1) ?? after
  }
}

async function addLeaf(db: Kysely<unknown>, leaf: LogLeaf, kitId: string | null): Promise<void> {
  const text = new TextDecoder().decode(leafBytes(leaf))
  await sql`insert into log_leaves (leaf, kit_id, late) values (${text}, ${kitId}, 1)`.execute(db)
}

const never = (on: string, event: 'update' | 'delete', message: string) =>
  ({ name: `${on}_no_${event}`, on, event, when: 'true', message }) as const

const RULES = [
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
  never('log', 'delete', 'the log is never deleted'),
  never('log_leaves', 'delete', 'leaves are never deleted'),
  never('log_tiles', 'update', 'tiles never change'),
  never('log_tiles', 'delete', 'tiles are never deleted'),
  {
    name: 'log_leaves_fixed',
    on: 'log_leaves',
    event: 'update',
    when: 'old.leaf_index is not null or new.leaf <> old.leaf',
    message: 'a leaf never changes, and its index is set once',
  },
] as const
