import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** Requests for evidence: their items, comments and rounds. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('requests')
    .addColumn('request_id', 'text', (c) => c.primaryKey())
    .addColumn('workspace_id', 'text', (c) => c.notNull().references('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('message', 'text')
    .addColumn('due_at', 'text')
    .addColumn('repeat', 'text')
    .addColumn('series', 'text')
    .addColumn('profile', 'text')
    .addColumn('recipients', 'text', (c) => c.notNull())
    .addColumn('round', 'integer', (c) => c.notNull())
    .addColumn('created_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addColumn('reminded_at', 'text')
    .addColumn('closed_at', 'text')
    .addColumn('next_request_id', 'text', (c) => c.unique())
    .execute()
  await sql`create unique index requests_in_order on requests (workspace_id, sequence)`.execute(db)
  await sql`create index requests_that_repeat on requests (due_at)
    where repeat is not null and next_request_id is null and closed_at is null`.execute(db)
  await db.schema
    .createTable('request_items')
    .addColumn('request_id', 'text', (c) => c.notNull().references('requests.request_id'))
    .addColumn('item_id', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('due_at', 'text')
    .addColumn('review', 'text')
    .addColumn('review_round', 'integer')
    .addPrimaryKeyConstraint('request_items_primary_key', ['request_id', 'item_id'])
    .execute()
  await db.schema
    .createTable('request_comments')
    .addColumn('request_id', 'text', (c) => c.notNull().references('requests.request_id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('item_id', 'text', (c) => c.notNull())
    .addColumn('author', 'text', (c) => c.notNull())
    .addColumn('written_by', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('at', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('request_comments_primary_key', ['request_id', 'number'])
    .execute()
  await db.schema
    .createTable('request_rounds')
    .addColumn('request_id', 'text', (c) => c.notNull().references('requests.request_id'))
    .addColumn('round', 'integer', (c) => c.notNull())
    .addColumn('submission_id', 'text', (c) => c.notNull().unique().references('submissions.submission_id'))
    .addPrimaryKeyConstraint('request_rounds_primary_key', ['request_id', 'round'])
    .execute()
  for (const rule of RULES) await dialect.createGuard(db, rule)
}

const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

const stay = (on: string, message: string) =>
  ({ name: `${on}_stay`, on, event: 'delete', when: 'true', message }) as const

const RULES = [
  stay('requests', 'requests are not deleted'),
  stay('request_items', 'items are not deleted'),
  stay('request_comments', 'comments are only added'),
  stay('request_rounds', 'rounds are not deleted'),
  {
    name: 'requests_fixed',
    on: 'requests',
    event: 'update',
    when: `${changed('request_id', 'workspace_id', 'sequence', 'created_by', 'created_at')}
      or (old.closed_at is not null and new.closed_at is distinct from old.closed_at)
      or (old.next_request_id is not null and new.next_request_id is distinct from old.next_request_id)`,
    message: 'a closed request stays closed, and a request repeats once',
  },
  {
    name: 'request_comments_fixed',
    on: 'request_comments',
    event: 'update',
    when: 'true',
    message: 'comments are only added',
  },
  {
    name: 'request_rounds_fixed',
    on: 'request_rounds',
    event: 'update',
    when: 'true',
    message: 'a round keeps its submission',
  },
] as const
