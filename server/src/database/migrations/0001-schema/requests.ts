import type { Kysely } from 'kysely'
import type { Dialect } from '../../dialect.ts'
import {
  changed,
  createGuards,
  createIndexes,
  fixed,
  primaryKey,
  refersTo,
  required,
  stay,
} from '../parts.ts'

/** Requests for evidence: their items, comments and rounds. */
export async function createRequests(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('requests')
    .addColumn('request_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', required)
    .addColumn('title', 'text', required)
    .addColumn('message', 'text')
    .addColumn('due_at', 'text')
    .addColumn('repeat', 'text')
    .addColumn('series', 'text')
    .addColumn('profile', 'text')
    .addColumn('recipients', 'text', required)
    .addColumn('round', 'integer', required)
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('reminded_at', 'text')
    .addColumn('closed_at', 'text')
    .addColumn('next_request_id', 'text', (c) => c.unique())
    .execute()
  await db.schema
    .createTable('request_items')
    .addColumn('request_id', 'text', refersTo('requests.request_id'))
    .addColumn('item_id', 'text', required)
    .addColumn('position', 'integer', required)
    .addColumn('title', 'text', required)
    .addColumn('description', 'text')
    .addColumn('due_at', 'text')
    .addColumn('review', 'text')
    .addColumn('review_round', 'integer')
    .addPrimaryKeyConstraint('request_items_primary_key', ['request_id', 'item_id'])
    .execute()
  await db.schema
    .createTable('request_comments')
    .addColumn('request_id', 'text', refersTo('requests.request_id'))
    .addColumn('number', 'integer', required)
    .addColumn('item_id', 'text', required)
    .addColumn('author', 'text', required)
    .addColumn('written_by', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('at', 'text', required)
    .addPrimaryKeyConstraint('request_comments_primary_key', ['request_id', 'number'])
    .execute()
  await db.schema
    .createTable('request_rounds')
    .addColumn('request_id', 'text', refersTo('requests.request_id'))
    .addColumn('round', 'integer', required)
    .addColumn('submission_id', 'text', (c) => c.notNull().unique().references('submissions.submission_id'))
    .addPrimaryKeyConstraint('request_rounds_primary_key', ['request_id', 'round'])
    .execute()
  await createIndexes(db, [
    'unique index requests_in_order on requests (workspace_id, sequence)',
    'index requests_by_due_date on requests (workspace_id, due_at) where closed_at is null',
    // With `next_request_id is null`, SQLite prefers the index of that column, and sorts.
    `index requests_to_repeat on requests (due_at)
      where repeat is not null and closed_at is null and coalesce(next_request_id, '') = ''`,
  ])
  await createGuards(db, dialect, GUARDS)
}

const GUARDS = [
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
  fixed('request_comments', 'comments are only added'),
  fixed('request_rounds', 'a round keeps its submission'),
] as const
