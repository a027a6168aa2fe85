import { auditTag, type Language, type Pin } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Db, PublicKits, WorkspacesTable } from '../database/schema.ts'
import { makeSecret } from '../database/secret.ts'
import type { Unit } from '../database/unit.ts'
import { LABEL } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { Actor, Anonymous } from '../runtime/actor.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { moveCredits } from './credits.ts'

export interface NewWorkspace {
  readonly name: string
  readonly plan: string
  /** Null: unlimited. */
  readonly credits: number | null
}

/** A key that a workspace pins for another issuer, as in a trust store. */
export interface StoredPin {
  readonly issuer: string
  readonly kid: string
  readonly created_at: string
  readonly key?: Pin['key']
}

export interface WorkspaceChange {
  readonly name?: string
  readonly plan?: string
  readonly publicKits?: PublicKits
  /** Of binders and mails. */
  readonly language?: Language
  /** Keys of other issuers. Replaces those that are pinned. */
  readonly pins?: readonly StoredPin[]
}

export const listWorkspaces = (db: Db) =>
  db.selectFrom('workspaces').selectAll().orderBy('created_at').orderBy('workspace_id').execute()

export const findWorkspace = (db: Db, id: WorkspaceId) =>
  db.selectFrom('workspaces').selectAll().where('workspace_id', '=', id).executeTakeFirst()

/** The unit is of a workspace that it creates. */
export async function createWorkspace(
  unit: Unit,
  { name: asked, plan, credits }: NewWorkspace,
): Promise<void> {
  const { db, at, acting, workspaceId: workspace_id } = unit
  const name = workspaceName(asked)
  const audit_secret = makeSecret().text
  await db
    .insertInto('workspaces')
    .values({
      workspace_id,
      name,
      named_by: namedBy(acting.actor),
      plan,
      visibility: 'receipts',
      language: 'en',
      credits_available: 0,
      credits_held: 0,
      credits_unlimited: credits === null ? 1 : 0,
      stored_bytes: 0,
      ledger_entries: 0,
      audit_events: 0,
      audit_head: auditTag(workspace_id, audit_secret, nodeHost.digest),
      audit_secret,
      pins: null,
      created_at: at,
      updated_at: at,
    })
    .execute()
  await unit.record('workspace.created', workspace_id, { name, plan })
  if (credits !== null && credits > 0) await grantCredits(unit, credits)
}

export async function changeWorkspace(unit: Unit, change: WorkspaceChange): Promise<void> {
  const { publicKits: public_kits, pins, ...others } = change
  const name = change.name === undefined ? undefined : workspaceName(change.name)
  await setColumns(unit, {
    ...(name !== undefined && (await newName(unit, name))),
    ...(change.plan !== undefined && { plan: change.plan }),
    ...(public_kits !== undefined && { visibility: public_kits }),
    ...(change.language !== undefined && { language: change.language }),
    ...(pins && { pins: pins.length === 0 ? null : JSON.stringify(pins) }),
  })
  const issuers = [...new Set(pins?.map(({ issuer }) => issuer))].slice(0, 20)
  await unit.record('workspace.changed', unit.workspaceId, {
    ...others,
    ...(name !== undefined && { name }),
    ...(public_kits !== undefined && { public_kits }),
    ...(pins && { pinned_keys: pins.length, pinned_issuers: issuers.join(' ') }),
  })
}

const setColumns = ({ db, at, workspaceId }: Unit, columns: Partial<WorkspacesTable>) =>
  db
    .updateTable('workspaces')
    .set({ ...columns, updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .execute()

/** A workspace that repeats its name keeps the operator's confirmation. */
async function newName({ db, workspaceId, acting: { actor } }: Unit, name: string) {
  const same = db.selectFrom('workspaces').select('name').where('workspace_id', '=', workspaceId)
  const isSame = (await same.where('name', '=', name).forUpdate().executeTakeFirst()) !== undefined
  return isSame && actor.is !== 'operator' ? {} : { name, named_by: namedBy(actor) }
}

const namedBy = ({ is }: Actor | Anonymous): WorkspacesTable['named_by'] =>
  is === 'operator' || is === 'service' ? is : 'workspace'

/** The operator vouches for the name. False if the workspace has another one now, so that only what was read is confirmed. */
export async function confirmName(unit: Unit, given: string): Promise<boolean> {
  const name = workspaceName(given)
  const { db, workspaceId } = unit
  const same = db.selectFrom('workspaces').select('name').where('workspace_id', '=', workspaceId)
  if ((await same.where('name', '=', name).forUpdate().executeTakeFirst()) === undefined) return false
  await setColumns(unit, { named_by: 'operator' })
  await unit.record('workspace.name_confirmed', workspaceId, { name })
  return true
}

export async function grantCredits(unit: Unit, credits: number, note?: string): Promise<void> {
  const { db, at, workspaceId, acting } = unit
  await db
    .updateTable('workspaces')
    .set({ credits_unlimited: 0 })
    .where('workspace_id', '=', workspaceId)
    .execute()
  const noted = note === undefined ? {} : { note }
  const event = { workspaceId, actor: acting.actor, subject: workspaceId, details: { credits, ...noted }, at }
  const grant = { workspaceId, kind: 'grant', amount: credits, at, ...noted } as const
  await moveCredits(db, [grant], [{ ...event, action: 'credits.granted' }])
}

const ALLOWED = new RegExp(LABEL.pattern, 'u')

/** A workspace name as it is stored and sealed: NFC, without white space around it. Throws if it is not allowed. */
function workspaceName(text: string): string {
  const name = text.toWellFormed().normalize('NFC').trim()
  const length = Array.from(name).length
  if (length < LABEL.minLength || length > LABEL.maxLength || !ALLOWED.test(name))
    throw new Refusal(
      'body_invalid',
      'A workspace name must be one line of 1 to 200 characters without control or bidirectional characters.',
      { param: 'name' },
    )
  return name
}
