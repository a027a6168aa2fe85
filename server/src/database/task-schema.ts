import type { WorkspaceId } from '../runtime/identifiers.ts'

export interface TaskTables {
  readonly tasks: TasksTable
}

/** What has to be done, now or later. A row goes when it is done. */
export interface TasksTable {
  readonly kind: string
  readonly key: string
  readonly workspace_id: WorkspaceId | null
  readonly due_at: string
  /** How often it failed by its own fault. */
  readonly attempts: number
  /** How often it was taken since a process last said what became of it. */
  readonly claims: number
  /** When it was first postponed. Null if it was not. */
  readonly failing_since: string | null
  /** The process that holds it, and until when that counts. */
  readonly owner: string | null
  readonly held_until: string | null
  /** Incremented when it is taken (a fencing token): what a process writes that lost the task changes nothing. */
  readonly token: number
}
