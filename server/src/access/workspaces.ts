import { auditTag, type Language } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db, PublicKits, WorkspacesTable } from '../database/schema.ts'
import { makeSecret } from '../database/secret.ts'
import { transact } from '../database/transact.ts'
import type { Identifiers, WorkspaceId } from '../runtime/identifiers.ts'
import { type NewApiKey, insertApiKey } from './api-keys.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'
import { moveCredits } from './credits.ts'
import { pinning, type StoredPin } from './trust.ts'
import { LABEL } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'

interface NewWorkspace extends WorkspaceWithoutKey {
  readonly keyLabel: string
}

interface WorkspaceWithoutKey {
  readonly name: string
  readonly plan: string
  /** Null: unlimited. */
  readonly credits: number | null
}

interface WorkspaceChange {
  readonly name?: string
  readonly plan?: string
  readonly publicKits?: PublicKits
  /** Of binders and mails. */
  readonly language?: Language
  /** Keys of other issuers. Replaces those that are pinned. */
  readonly pins?: readonly StoredPin[]
}

interface WorkspacesOptions {
  readonly db: Db
  readonly clock: Clock
  readonly identifiers: Pick<Identifiers, 'workspaceId'>
}

export type Workspaces = ReturnType<typeof workspaces>

export function workspaces({ db, clock, identifiers }: WorkspacesOptions) {
  const now = (): string => timestamp(clock.now())
  return {
    list: (): Promise<readonly WorkspacesTable[]> =>
      db.selectFrom('workspaces').selectAll().orderBy('created_at').orderBy('workspace_id').execute(),
    find: (id: WorkspaceId): Promise<WorkspacesTable | undefined> =>
      db.selectFrom('workspaces').selectAll().where('workspace_id', '=', id).executeTakeFirst(),
    /** With its first API key, in one transaction. */
    create: (request: NewWorkspace, actor: Actor) =>
      transact(db, (trx) => createWorkspace(trx, { clock, identifiers }, request, actor)),
    update: (id: WorkspaceId, change: WorkspaceChange, actor: Actor): Promise<boolean> =>
      transact(db, (trx) => changeWorkspace(trx, clock, id, change, actor)),
    grant: (id: WorkspaceId, credits: number, note: string | undefined, actor: Actor): Promise<boolean> =>
      transact(db, (trx) => grantCredits(trx, id, credits, actor, now(), note)),
    /** The operator vouches for the name. False if the workspace has another one now, so that only what was read is confirmed. */
    confirmName: (id: WorkspaceId, name: string, actor: Actor = { is: 'operator' }): Promise<boolean> =>
      transact(db, (trx) => confirmName(trx, id, name, actor, now())),
  }
}

export async function changeWorkspace(
  trx: Db,
  clock: Clock,
  id: WorkspaceId,
  change: WorkspaceChange,
  actor: Actor,
): Promise<boolean> {
  const name = change.name === undefined ? undefined : workspaceName(change.name)
  const pinned = change.pins && pinning(change.pins)
  const columns = {
    ...(name === undefined ? {} : await newName(trx, id, name, actor)),
    ...(change.plan === undefined ? {} : { plan: change.plan }),
    ...(change.publicKits === undefined ? {} : { visibility: change.publicKits }),
    ...(change.language === undefined ? {} : { language: change.language }),
    ...pinned?.column,
  }
  const at = timestamp(clock.now())
  const result = await trx
    .updateTable('workspaces')
    .set({ ...columns, updated_at: at })
    .where('workspace_id', '=', id)
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) return false
  const { publicKits, pins: _, ...others } = change
  const details = {
    ...others,
    ...(name === undefined ? {} : { name }),
    ...(publicKits === undefined ? {} : { public_kits: publicKits }),
    ...pinned?.details,
  }
  const event = { workspaceId: id, actor, subject: id, details, at }
  await recordEvent(trx, { ...event, action: 'workspace.changed' })
  return true
}

/** A workspace that repeats its name keeps the operator's confirmation. */
async function newName(trx: Db, id: WorkspaceId, name: string, actor: Actor) {
  const same = trx.selectFrom('workspaces').select('name').where('workspace_id', '=', id)
  const isSame = (await same.where('name', '=', name).forUpdate().executeTakeFirst()) !== undefined
  return isSame && actor.is !== 'operator' ? {} : { name, named_by: namedBy(actor) }
}

const namedBy = ({ is }: Actor): WorkspacesTable['named_by'] =>
  is === 'operator' || is === 'service' ? is : 'workspace'

async function confirmName(trx: Db, id: WorkspaceId, given: string, actor: Actor, at: string) {
  const name = workspaceName(given)
  const { numUpdatedRows } = await trx
    .updateTable('workspaces')
    .set({ named_by: 'operator', updated_at: at })
    .where('workspace_id', '=', id)
    .where('name', '=', name)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  const event = { workspaceId: id, actor, subject: id, details: { name }, at } as const
  await recordEvent(trx, { ...event, action: 'workspace.name_confirmed' })
  return true
}

export async function createWorkspace(
  trx: Db,
  { clock, identifiers }: Omit<WorkspacesOptions, 'db'>,
  request: NewWorkspace,
  actor: Actor,
): Promise<{ readonly workspaceId: WorkspaceId; readonly key: NewApiKey }> {
  const workspaceId = await insertWorkspace(trx, { clock, identifiers }, request, actor)
  return { workspaceId, key: await insertApiKey(trx, clock, workspaceId, { label: request.keyLabel }, actor) }
}

export async function insertWorkspace(
  trx: Db,
  { clock, identifiers }: Omit<WorkspacesOptions, 'db'>,
  request: WorkspaceWithoutKey,
  actor: Actor,
): Promise<WorkspaceId> {
  const at = timestamp(clock.now())
  const workspaceId = identifiers.workspaceId()
  const name = workspaceName(request.name)
  const auditSecret = makeSecret().text
  await trx
    .insertInto('workspaces')
    .values({
      workspace_id: workspaceId,
      name,
      named_by: namedBy(actor),
      plan: request.plan,
      visibility: 'receipts',
      language: 'en',
      credits_available: 0,
      credits_held: 0,
      credits_unlimited: request.credits === null ? 1 : 0,
      stored_bytes: 0,
      ledger_entries: 0,
      audit_events: 0,
      audit_head: auditTag(workspaceId, auditSecret, nodeHost.digest),
      audit_secret: auditSecret,
      pins: null,
      created_at: at,
      updated_at: at,
    })
    .execute()
  const details = { name, plan: request.plan }
  await recordEvent(trx, {
    workspaceId,
    actor,
    action: 'workspace.created',
    subject: workspaceId,
    details,
    at,
  })
  if (request.credits !== null && request.credits > 0)
    await grantCredits(trx, workspaceId, request.credits, actor, at)
  return workspaceId
}

async function grantCredits(
  trx: Db,
  id: WorkspaceId,
  credits: number,
  actor: Actor,
  at: string,
  note?: string,
): Promise<boolean> {
  await trx.updateTable('workspaces').set({ credits_unlimited: 0 }).where('workspace_id', '=', id).execute()
  const noted = note === undefined ? {} : { note }
  const event = { workspaceId: id, actor, subject: id, details: { credits, ...noted }, at }
  const grant = { workspaceId: id, kind: 'grant', amount: credits, at, ...noted } as const
  return moveCredits(trx, [grant], [{ ...event, action: 'credits.granted' }])
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
