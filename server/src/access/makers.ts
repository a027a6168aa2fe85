import { recordEvent } from '../audit/audit-trail.ts'
import type { Actor, Anonymous } from '../runtime/actor.ts'
import type { Database, Db } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'
import type { ApiKeyId, FederationId, MemberId, WorkspaceId } from '../runtime/identifiers.ts'

/** Who makes a credential, as stored in `created_by`. */
export function makerOf(actor: Actor | Anonymous): string {
  if (actor.is === 'key') return actor.keyId
  return actor.is === 'member' ? actor.memberId : actor.is
}

/** When a maker ends, and so what it makes; null if never. Locks it, so that it does not end before the transaction does. */
export async function endOfMaker(trx: Db, maker: string, at: string): Promise<string | null> {
  if (maker.startsWith('mem_')) await lockMember(trx, maker as MemberId)
  const isKey = maker.startsWith('key_')
  if (!isKey && !maker.startsWith('fed_')) return null
  const row = isKey
    ? await keysOf(trx, at)
        .where('key_id', '=', maker as ApiKeyId)
        .executeTakeFirst()
    : await federationsOf(trx, at)
        .where('federation_id', '=', maker as FederationId)
        .executeTakeFirst()
  if (row === undefined) throw new Refusal('api_key_invalid', 'The API key in X-API-Key is not valid.')
  return row.expires_at
}

async function lockMember(trx: Db, member: MemberId): Promise<void> {
  const found = trx.selectFrom('members').select('member_id').where('member_id', '=', member)
  if ((await found.where('removed_at', 'is', null).forUpdate().executeTakeFirst()) === undefined)
    throw new Refusal('session_required', 'Your session has ended. Sign in again.')
}

export const earlier = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a

/** What a key or federation made ends no later than it does now. */
export async function limitWhatItMade(
  trx: Db,
  maker: ApiKeyId | FederationId,
  expires_at: string | null,
  at: string,
): Promise<void> {
  if (expires_at === null) return
  const { keys, federations } = await madeBy(trx, maker, at)
  for (const { key_id, expires_at: end } of keys)
    if (earlier(end, expires_at) !== end)
      await trx.updateTable('api_keys').set({ expires_at }).where('key_id', '=', key_id).execute()
  for (const { federation_id: id, expires_at: end } of federations)
    if (earlier(end, expires_at) !== end)
      await trx.updateTable('federations').set({ expires_at }).where('federation_id', '=', id).execute()
}

interface Change {
  readonly workspaceId: WorkspaceId
  readonly actor: Actor | Anonymous
  readonly at: string
}

/** The actor is the maker of these keys and federations of a member from now on. Unknown, if they are the same person. */
export async function takeOver(
  trx: Db,
  member: MemberId,
  ids: readonly string[],
  { workspaceId, actor, at }: Change,
): Promise<void> {
  const created_by = makerOf(actor) === member ? null : makerOf(actor)
  const { keys, federations } = await madeBy(trx, member, at, 'directly')
  const event = { workspaceId, actor, at }
  for (const { key_id: subject, expires_at } of keys.filter(({ key_id }) => ids.includes(key_id))) {
    await trx.updateTable('api_keys').set({ created_by }).where('key_id', '=', subject).execute()
    const details = { expires_at, created_by: member }
    await recordEvent(trx, { ...event, action: 'key.extended', subject, details })
  }
  for (const federation of federations.filter(({ federation_id }) => ids.includes(federation_id))) {
    const subject = federation.federation_id
    await trx.updateTable('federations').set({ created_by }).where('federation_id', '=', subject).execute()
    const details = federationDetails(federation)
    await recordEvent(trx, { ...event, action: 'federation.changed', subject, details })
  }
}

/** Ends what a member, key or federation made, and what that made. */
export async function endWhatItMade(
  trx: Db,
  maker: MemberId | ApiKeyId | FederationId,
  { workspaceId, actor, at }: Change,
): Promise<void> {
  const { keys, federations } = await madeBy(trx, maker, at)
  const event = { workspaceId, actor, at }
  for (const { key_id: subject, federation_id } of keys) {
    await trx.updateTable('api_keys').set({ revoked_at: at }).where('key_id', '=', subject).execute()
    // The event of the federation says it for its tokens.
    if (federation_id == null)
      await recordEvent(trx, { ...event, action: 'key.revoked', subject, details: { ended_with: maker } })
  }
  for (const federation of federations) {
    const subject = federation.federation_id
    await trx.deleteFrom('federations').where('federation_id', '=', subject).execute()
    const details = { ...federationDetails(federation), ended_with: maker }
    await recordEvent(trx, { ...event, action: 'federation.deleted', subject, details })
  }
}

type FederationRow = Database['federations']

type Told = Pick<FederationRow, 'label' | 'issuer' | 'audience' | 'claims' | 'scopes'>
export const federationDetails = ({ label, issuer, audience, claims, scopes }: Told): Told => {
  return { label, issuer, audience, claims, scopes }
}

/** Active keys and federations that a maker made, and those that these made. Locks them, so that none makes another. */
async function madeBy(trx: Db, maker: MemberId | ApiKeyId | FederationId, at: string, directly?: 'directly') {
  const keys = new Map<string, Awaited<ReturnType<ReturnType<typeof keysOf>['execute']>>[number]>()
  const federations = new Map<string, FederationRow>()
  for (let makers: readonly string[] = [maker]; makers.length > 0;) {
    const known = new Set([maker, ...keys.keys(), ...federations.keys()])
    for (const row of await keysOf(trx, at).where('created_by', 'in', makers).execute())
      keys.set(row.key_id, row)
    for (const row of await federationsOf(trx, at).where('created_by', 'in', makers).execute())
      federations.set(row.federation_id, row)
    makers =
      directly === undefined ? [...keys.keys(), ...federations.keys()].filter((id) => !known.has(id)) : []
  }
  keys.delete(maker)
  federations.delete(maker)
  return { keys: [...keys.values()], federations: [...federations.values()] }
}

const keysOf = (trx: Db, at: string) =>
  trx
    .selectFrom('api_keys')
    .select(['key_id', 'federation_id', 'expires_at'])
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .forUpdate()

const federationsOf = (trx: Db, at: string) =>
  trx
    .selectFrom('federations')
    .selectAll()
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .forUpdate()
