// docs/decisions/0247
import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { type Actor, type AuditAction, recordEvent } from '../audit/audit-trail.ts'
import { workspaceName } from './workspace-name.ts'

interface NameChange {
  readonly id: WorkspaceId
  readonly actor: Actor
  readonly at: string
}

/** Stores the name that an owner proposes. Null, or the current name, withdraws the proposal. */
export async function proposeName(trx: Db, change: NameChange, wanted: string | null): Promise<void> {
  const { name, proposed_name } = await lockNames(trx, change.id)
  const proposed = wanted === null ? null : workspaceName(wanted)
  const next = proposed === name ? null : proposed
  if (next === proposed_name) return
  await setNames(trx, change, { proposed_name: next })
  if (next === null) await record(trx, change, 'workspace.name_withdrawn', { name: proposed_name })
  else await record(trx, change, 'workspace.name_proposed', { name: next })
}

/** Approves the proposal. False if `name` is not what is proposed now, so that the operator approves only what was read. */
export async function approveName(trx: Db, change: NameChange, name: string): Promise<boolean> {
  const { name: previous, proposed_name } = await lockNames(trx, change.id)
  if (proposed_name === null || proposed_name !== name.normalize('NFC').trim()) return false
  await setNames(trx, change, { name: proposed_name, proposed_name: null })
  await record(trx, change, 'workspace.name_approved', { name: proposed_name, previous })
  return true
}

/** Returns the declined name. Undefined if none is proposed. */
export async function declineName(trx: Db, change: NameChange): Promise<string | undefined> {
  const { proposed_name } = await lockNames(trx, change.id)
  if (proposed_name === null) return undefined
  await setNames(trx, change, { proposed_name: null })
  await record(trx, change, 'workspace.name_declined', { name: proposed_name })
  return proposed_name
}

const lockNames = (trx: Db, id: WorkspaceId) =>
  trx
    .selectFrom('workspaces')
    .select(['name', 'proposed_name'])
    .where('workspace_id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()

async function setNames(
  trx: Db,
  { id, at }: NameChange,
  columns: { readonly name?: string; readonly proposed_name: string | null },
): Promise<void> {
  await trx
    .updateTable('workspaces')
    .set({ ...columns, updated_at: at })
    .where('workspace_id', '=', id)
    .execute()
}

async function record(
  trx: Db,
  { id, actor, at }: NameChange,
  action: AuditAction,
  details: Readonly<Record<string, string | null>>,
): Promise<void> {
  await recordEvent(trx, { workspaceId: id, actor, action, subject: id, details, at })
}
