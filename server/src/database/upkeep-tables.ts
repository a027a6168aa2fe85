import type { WorkspaceId } from '../runtime/identifiers.ts'
import { column, table } from './table.ts'

/** What the service has to do, has done, and remembers for a while. */
export const upkeepTables = {
  /** What has to be done, now or later. A row goes when it is done. */
  tasks: table('tasks', {
    kind: column.text(),
    key: column.text(),
    workspace_id: column.text<WorkspaceId>().nullable(),
    due_at: column.time(),
    /** How often it failed by its own fault. */
    attempts: column.count(),
    /** How often it was taken since a process last said what became of it. */
    claims: column.count(),
    /** When it was first postponed. Null if it was not. */
    failing_since: column.time().nullable(),
    /** The process that holds it, and until when that counts. */
    owner: column.text().nullable(),
    held_until: column.time().nullable(),
    /** Incremented when it is taken (a fencing token): what a process writes that lost the task changes nothing. */
    token: column.count(),
  })
    .primaryKey('kind', 'key')
    // In the order of turns.
    .indexOf(`index tasks_in_turn on tasks (kind, coalesce(workspace_id, ''), due_at, key)`)
    .index(['owner'], 'owner is not null'),

  /** What is known about something that runs again and again. */
  upkeep: table('upkeep', {
    task: column.text(),
    finished_at: column.time().nullable(),
    /** JSON: progress and counters. */
    state: column.text(),
  }).primaryKey('task'),

  idempotency: table('idempotency', {
    /** The caller and the operation. */
    scope: column.text(),
    key: column.text(),
    request_hash: column.text(),
    status: column.count(),
    body: column.text(),
    created_at: column.created(),
  })
    .primaryKey('scope', 'key')
    .index(['created_at'], undefined, 'idempotency_age'),

  /** Of a limit per day, for all nodes. A day begins at midnight UTC. */
  daily_counts: table('daily_counts', {
    day: column.text(),
    name: column.text(),
    count: column.count(),
  }).primaryKey('day', 'name'),
}
