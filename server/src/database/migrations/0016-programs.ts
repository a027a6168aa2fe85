import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { changed, createGuards, createIndexes, fixed, primaryKey, refersTo, required, stay } from './parts.ts'

/** Programs and their periods. A request that repeats becomes a program with items of the source `request`. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createTables(db)
  await createIndexes(db, [
    'unique index programs_in_order on programs (workspace_id, sequence)',
    'unique index programs_by_series on programs (workspace_id, series)',
    'index programs_to_open on programs (next_on) where next_on is not null',
    'unique index program_periods_in_order on program_periods (program_id, number)',
    'index period_items_by_owner on period_items (owner_id, due_at) where sealed_status is null',
    'index period_items_due on period_items (due_at) where sealed_status is null and owner_id is not null',
    'index period_items_by_request on period_items (request_id) where request_id is not null',
  ])
  await createGuards(db, dialect, GUARDS)
  await replaceRepetition(db)
  await sql`drop index requests_to_repeat`.execute(db)
  // The ID of the next request stays: SQLite drops no column with a unique constraint.
  await db.schema.alterTable('requests').dropColumn('repeat').execute()
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('programs')
    .addColumn('program_id', 'text', primaryKey)
    .addColumn('workspace_id', 'text', refersTo('workspaces.workspace_id'))
    .addColumn('sequence', 'bigint', required)
    .addColumn('name', 'text', required)
    .addColumn('series', 'text', required)
    .addColumn('cadence', 'text', required)
    .addColumn('starts_on', 'text', required)
    .addColumn('message', 'text')
    .addColumn('next_on', 'text')
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'text', required)
    .addColumn('updated_at', 'text', required)
    .addColumn('ended_at', 'text')
    .execute()
  await db.schema
    .createTable('program_items')
    .addColumn('program_id', 'text', refersTo('programs.program_id'))
    .addColumn('item_id', 'text', required)
    .addColumn('position', 'integer', required)
    .addColumn('title', 'text', required)
    .addColumn('description', 'text')
    .addColumn('source', 'text', required)
    .addColumn('owner_id', 'text')
    .addColumn('recipients', 'text', required)
    .addColumn('due_days', 'integer', required)
    .addPrimaryKeyConstraint('program_items_primary_key', ['program_id', 'item_id'])
    .execute()
  await db.schema
    .createTable('program_periods')
    .addColumn('program_id', 'text', refersTo('programs.program_id'))
    .addColumn('period', 'text', required)
    .addColumn('number', 'integer', required)
    .addColumn('from_on', 'text', required)
    .addColumn('to_on', 'text')
    .addColumn('submission_id', 'text', (c) => c.notNull().unique().references('submissions.submission_id'))
    .addColumn('failed_submission_id', 'text')
    .addColumn('sealed_by', 'text')
    .addColumn('opened_at', 'text', required)
    .addPrimaryKeyConstraint('program_periods_primary_key', ['program_id', 'period'])
    .execute()
  await db.schema
    .createTable('period_items')
    .addColumn('program_id', 'text', refersTo('programs.program_id'))
    .addColumn('period', 'text', required)
    .addColumn('item_id', 'text', required)
    .addColumn('position', 'integer', required)
    .addColumn('title', 'text', required)
    .addColumn('description', 'text')
    .addColumn('source', 'text', required)
    .addColumn('owner_id', 'text')
    .addColumn('recipients', 'text', required)
    .addColumn('due_at', 'text', required)
    .addColumn('review', 'text')
    .addColumn('reviewed_files', 'text')
    .addColumn('reviewed_by', 'text')
    .addColumn('reviewed_at', 'text')
    .addColumn('reason', 'text')
    .addColumn('request_id', 'text')
    .addColumn('sealed_status', 'text')
    .addPrimaryKeyConstraint('period_items_primary_key', ['program_id', 'period', 'item_id'])
    .execute()
  await db.schema
    .createTable('period_comments')
    .addColumn('program_id', 'text', refersTo('programs.program_id'))
    .addColumn('period', 'text', required)
    .addColumn('number', 'integer', required)
    .addColumn('item_id', 'text', required)
    .addColumn('written_by', 'text', required)
    .addColumn('text', 'text', required)
    .addColumn('at', 'text', required)
    .addPrimaryKeyConstraint('period_comments_primary_key', ['program_id', 'period', 'number'])
    .execute()
}

const GUARDS = [
  stay('programs', 'programs are not deleted'),
  stay('program_periods', 'periods are not deleted'),
  stay('period_items', 'items of a period are not deleted'),
  stay('period_comments', 'comments are only added'),
  fixed('period_comments', 'comments are only added'),
  {
    name: 'programs_fixed',
    on: 'programs',
    event: 'update',
    when: `${changed('program_id', 'workspace_id', 'sequence', 'series', 'created_by', 'created_at')}
      or (old.ended_at is not null and new.ended_at is distinct from old.ended_at)`,
    message: 'an ended program stays ended, and keeps its series',
  },
  {
    name: 'program_periods_fixed',
    on: 'program_periods',
    event: 'update',
    when: changed('program_id', 'period', 'number', 'from_on', 'to_on', 'opened_at'),
    message: 'a period keeps its dates',
  },
] as const

interface Repeating {
  readonly request_id: string
  readonly workspace_id: string
  readonly sequence: number
  readonly title: string
  readonly message: string | null
  readonly due_at: string
  readonly repeat: 'monthly' | 'quarterly' | 'yearly'
  readonly series: string | null
  readonly recipients: string
  readonly created_by: string
  readonly created_at: string
}

const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const
const DAY_MS = 24 * 60 * 60 * 1000

/** The next request was made on the due date of the one before, and was due one period later. */
async function replaceRepetition(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Repeating>`select request_id, workspace_id, sequence, title, message, due_at,
    repeat, series, recipients, created_by, created_at from requests
    where repeat is not null and closed_at is null and due_at is not null and next_request_id is null
    order by sequence`.execute(db)
  const taken = new Set<string>()
  for (const row of rows) {
    const { request_id, workspace_id, due_at, repeat } = row
    const name = row.title.slice(0, 90)
    const series = unusedSeries(taken, workspace_id, row.series ?? name)
    const program_id = `prg_${request_id.slice('evr_'.length)}`
    const starts_on = due_at.slice(0, 10)
    await sql`insert into programs (program_id, workspace_id, sequence, name, series, cadence, starts_on, message,
      next_on, created_by, created_at, updated_at)
      values (${program_id}, ${workspace_id}, ${row.sequence}, ${name}, ${series}, ${repeat}, ${starts_on},
        ${row.message}, ${starts_on}, ${row.created_by}, ${row.created_at}, ${row.created_at})`.execute(db)
    const next = new Date(due_at)
    next.setUTCMonth(next.getUTCMonth() + MONTHS[repeat])
    const items = await sql<{ item_id: string; due_at: string | null }>`select item_id, due_at
      from request_items where request_id = ${request_id}`.execute(db)
    for (const item of items.rows) {
      const movedMs = item.due_at === null ? 0 : Date.parse(item.due_at) - Date.parse(due_at)
      const days = Math.max(0, Math.round((next.getTime() - Date.parse(due_at) + movedMs) / DAY_MS))
      await sql`insert into program_items (program_id, item_id, position, title, description, source, recipients, due_days)
        select ${program_id}, item_id, position, title, description, 'request', ${row.recipients}, cast(${days} as integer)
        from request_items where request_id = ${request_id} and item_id = ${item.item_id}`.execute(db)
    }
  }
}

function unusedSeries(taken: Set<string>, workspaceId: string, wanted: string): string {
  for (let count = 1; ; count += 1) {
    const series = count === 1 ? wanted : `${wanted} ${count}`
    const key = `${workspaceId} ${series}`
    if (taken.has(key)) continue
    taken.add(key)
    return series
  }
}
