import { type Clock, timestamp } from '../runtime/clock.ts'
import type { FederationsTable } from '../database/access-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type Scope, writeScopes } from '../http/scopes.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { FederationId, Identifiers } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { type AuditAction, recordEvent } from '../audit/audit-trail.ts'
import type { ClaimRule } from './claim-rules.ts'

export const MAX_FEDERATIONS = 50

export interface FederationTerms {
  readonly label: string
  readonly issuer: string
  readonly audience: string
  readonly claims: readonly ClaimRule[]
  readonly scopes: readonly Scope[]
}

export interface FederationContext {
  readonly db: Db
  readonly clock: Clock
  readonly identifiers: Identifiers
}

export const listFederations = (
  db: Db,
  { workspaceId }: Pick<WorkspaceCaller, 'workspaceId'>,
): Promise<readonly FederationsTable[]> =>
  db
    .selectFrom('federations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('federation_id')
    .execute()

export const findFederation = (db: Db, federationId: string): Promise<FederationsTable | undefined> =>
  db
    .selectFrom('federations')
    .selectAll()
    .where('federation_id', '=', federationId as FederationId)
    .executeTakeFirst()

export function createFederation(
  { db, clock, identifiers }: FederationContext,
  caller: WorkspaceCaller,
  terms: FederationTerms,
): Promise<FederationsTable> {
  const at = timestamp(clock.now())
  const row: FederationsTable = {
    federation_id: identifiers.federationId(),
    workspace_id: caller.workspaceId,
    ...columns(terms),
    created_at: at,
    updated_at: at,
  }
  return transact(db, async (trx) => {
    // Recording the event locks the workspace, so the limit holds.
    await record(trx, caller, 'federation.created', row)
    if ((await listFederations(trx, caller)).length >= MAX_FEDERATIONS)
      throw new Refusal(
        'federation_limit',
        `A workspace has at most ${MAX_FEDERATIONS} federations. Delete one first.`,
      )
    await trx.insertInto('federations').values(row).execute()
    return row
  })
}

/** Tokens that were issued before keep working until they expire. */
export function changeFederation(
  { db, clock }: FederationContext,
  caller: WorkspaceCaller,
  old: FederationsTable,
  terms: FederationTerms,
): Promise<FederationsTable> {
  const row = { ...old, ...columns(terms), updated_at: timestamp(clock.now()) }
  return transact(db, async (trx) => {
    await trx.updateTable('federations').set(row).where('federation_id', '=', old.federation_id).execute()
    await record(trx, caller, 'federation.changed', row)
    return row
  })
}

/** Also revokes the tokens that it has issued. */
export function deleteFederation(
  { db, clock }: FederationContext,
  caller: WorkspaceCaller,
  old: FederationsTable,
): Promise<void> {
  const at = timestamp(clock.now())
  return transact(db, async (trx) => {
    await trx.deleteFrom('federations').where('federation_id', '=', old.federation_id).execute()
    await trx
      .updateTable('api_keys')
      .set({ revoked_at: at })
      .where('federation_id', '=', old.federation_id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', at)
      .execute()
    await record(trx, caller, 'federation.deleted', { ...old, updated_at: at })
  })
}

const columns = ({ label, issuer, audience, claims, scopes }: FederationTerms) => ({
  label,
  issuer,
  audience,
  claims: JSON.stringify(claims),
  scopes: writeScopes(scopes),
})

function record(
  trx: Db,
  { workspaceId, actor }: WorkspaceCaller,
  action: AuditAction,
  { federation_id, label, issuer, audience, claims, scopes, updated_at }: FederationsTable,
): Promise<number> {
  const details = { label, issuer, audience, claims, scopes }
  return recordEvent(trx, { workspaceId, actor, action, subject: federation_id, details, at: updated_at })
}
