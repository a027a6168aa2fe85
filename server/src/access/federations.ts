import { type Clock, timestamp } from '../runtime/clock.ts'
import type { FederationsTable } from '../database/access-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type Scope, writeScopes } from '../http/scopes.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { FederationId, Identifiers } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { AuditAction } from '../audit/event-types.ts'
import type { ClaimRule } from './claim-rules.ts'
import { endOfMaker, endWhatItMade, federationDetails, limitWhatItMade, makerOf } from './makers.ts'

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

export async function createFederation(
  trx: Db,
  { clock, identifiers }: FederationContext,
  caller: WorkspaceCaller,
  terms: FederationTerms,
): Promise<FederationsTable> {
  const at = timestamp(clock.now())
  const row: FederationsTable = {
    federation_id: identifiers.federationId(),
    workspace_id: caller.workspaceId,
    ...columns(terms),
    ...(await makerColumns(trx, caller, at)),
    created_at: at,
    updated_at: at,
  }
  await trx
    .deleteFrom('federations')
    .where('workspace_id', '=', caller.workspaceId)
    .where('expires_at', '<=', at)
    .execute()
  // Recording the event locks the workspace, so the limit holds.
  await record(trx, caller, 'federation.created', row)
  if ((await listFederations(trx, caller)).length >= MAX_FEDERATIONS)
    throw new Refusal(
      'federation_limit',
      `A workspace has at most ${MAX_FEDERATIONS} federations. Delete one first.`,
    )
  await trx.insertInto('federations').values(row).execute()
  return row
}

/** Who changes a federation is its maker from then on. Tokens that were issued before keep working until they expire. */
export function changeFederation(
  { db, clock }: FederationContext,
  caller: WorkspaceCaller,
  old: FederationsTable,
  terms: FederationTerms,
): Promise<FederationsTable> {
  const at = timestamp(clock.now())
  return transact(db, async (trx) => {
    const row = { ...old, ...columns(terms), ...(await makerColumns(trx, caller, at)), updated_at: at }
    await trx.updateTable('federations').set(row).where('federation_id', '=', old.federation_id).execute()
    await limitWhatItMade(trx, old.federation_id, row.expires_at, at)
    await record(trx, caller, 'federation.changed', row)
    return row
  })
}

/** Also revokes the tokens that it has issued, and what these made. */
export function deleteFederation(
  { db, clock }: FederationContext,
  caller: WorkspaceCaller,
  old: FederationsTable,
): Promise<void> {
  const at = timestamp(clock.now())
  return transact(db, async (trx) => {
    await trx.deleteFrom('federations').where('federation_id', '=', old.federation_id).execute()
    await endWhatItMade(trx, old.federation_id, { ...caller, at })
    await record(trx, caller, 'federation.deleted', { ...old, updated_at: at })
  })
}

const makerColumns = async (trx: Db, { actor }: WorkspaceCaller, at: string) => {
  const created_by = makerOf(actor)
  return { created_by, expires_at: await endOfMaker(trx, created_by, at) }
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
  row: FederationsTable,
): Promise<number> {
  const { federation_id: subject, updated_at: at } = row
  return recordEvent(trx, { workspaceId, actor, action, subject, details: federationDetails(row), at })
}
