import type { Database } from '../database/schema.ts'
import type { Unit } from '../database/unit.ts'
import { Refusal } from '../refusals.ts'
import type { Actor, Anonymous } from '../runtime/actor.ts'
import type { ApiKeyId, FederationId, MemberId } from '../runtime/identifiers.ts'

/** Who makes a credential, as stored in `created_by`. */
export function makerOf(actor: Actor | Anonymous): string {
  if (actor.is === 'key') return actor.keyId
  return actor.is === 'member' ? actor.memberId : actor.is
}

/** When a maker ends, and so what it makes; null if never. Locks it, so that it does not end before the unit does. */
export async function endOfMaker(unit: Unit, maker: string): Promise<string | null> {
  if (maker.startsWith('mem_')) await lockMember(unit, maker as MemberId)
  const isKey = maker.startsWith('key_')
  if (!isKey && !maker.startsWith('fed_')) return null
  const found = isKey
    ? activeKeys(unit).where('key_id', '=', maker as ApiKeyId)
    : activeFederations(unit).where('federation_id', '=', maker as FederationId)
  const row = await found.executeTakeFirst()
  if (row === undefined) throw new Refusal('api_key_invalid', 'The API key in X-API-Key is not valid.')
  return row.expires_at
}

async function lockMember({ db }: Unit, member: MemberId): Promise<void> {
  const found = db.selectFrom('members').select('member_id').where('member_id', '=', member)
  if ((await found.where('removed_at', 'is', null).forUpdate().executeTakeFirst()) === undefined)
    throw new Refusal('session_required', 'Your session has ended. Sign in again.')
}

export const earlier = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a

type Maker = MemberId | ApiKeyId | FederationId

/** What a key or federation made ends no later than it does now. */
export async function limitWhatItMade(unit: Unit, maker: Maker, expires_at: string | null): Promise<void> {
  if (expires_at === null) return
  const { keys, federations } = await madeBy(unit, maker)
  const isLater = (row: { readonly expires_at: string | null }) => (row.expires_at ?? '9') > expires_at
  for (const { key_id } of keys.filter(isLater))
    await unit.db.updateTable('api_keys').set({ expires_at }).where('key_id', '=', key_id).execute()
  for (const { federation_id: id } of federations.filter(isLater))
    await unit.db.updateTable('federations').set({ expires_at }).where('federation_id', '=', id).execute()
}

/** Who acts is the maker of these keys and federations of a member from now on. Unknown, if they are the same person. */
export async function takeOver(unit: Unit, member: MemberId, ids: readonly string[]): Promise<void> {
  const { db, acting } = unit
  const maker = makerOf(acting.actor)
  const change = { created_by: maker === member ? null : maker }
  const { keys, federations } = await madeBy(unit, member, 'directly')
  for (const { key_id, expires_at } of keys.filter((key) => ids.includes(key.key_id))) {
    await db.updateTable('api_keys').set(change).where('key_id', '=', key_id).execute()
    await unit.record('key.extended', key_id, { expires_at, created_by: member })
  }
  for (const row of federations.filter(({ federation_id }) => ids.includes(federation_id))) {
    const { federation_id: id } = row
    await db.updateTable('federations').set(change).where('federation_id', '=', id).execute()
    await unit.record('federation.changed', id, federationDetails(row))
  }
}

/** Ends what a member, key or federation made, and what that made. */
export async function endWhatItMade(unit: Unit, maker: Maker): Promise<void> {
  const { db, at } = unit
  const { keys, federations } = await madeBy(unit, maker)
  for (const { key_id, federation_id } of keys) {
    await db.updateTable('api_keys').set({ revoked_at: at }).where('key_id', '=', key_id).execute()
    // The event of the federation says it for its tokens.
    if (federation_id === null) await unit.record('key.revoked', key_id, { ended_with: maker })
  }
  for (const row of federations) {
    const { federation_id: id } = row
    await db.deleteFrom('federations').where('federation_id', '=', id).execute()
    await unit.record('federation.deleted', id, { ...federationDetails(row), ended_with: maker })
  }
}

type FederationRow = Database['federations']

type Told = Pick<FederationRow, 'label' | 'issuer' | 'audience' | 'claims' | 'scopes'>
export const federationDetails = ({ label, issuer, audience, claims, scopes }: Told): Told => {
  return { label, issuer, audience, claims, scopes }
}

/** Active keys and federations that a maker made, and those that these made. Locks them, so that none makes another. */
async function madeBy(unit: Unit, maker: Maker, directly?: 'directly') {
  const keys = new Map<string, Awaited<ReturnType<ReturnType<typeof activeKeys>['execute']>>[number]>()
  const federations = new Map<string, FederationRow>()
  const isNew = (id: string) => id !== maker && !keys.has(id) && !federations.has(id)
  for (let makers: readonly string[] = [maker]; makers.length > 0;) {
    const newKeys = await activeKeys(unit).where('created_by', 'in', makers).execute()
    const newFederations = await activeFederations(unit).where('created_by', 'in', makers).execute()
    const made = [
      ...newKeys.filter(({ key_id }) => isNew(key_id)),
      ...newFederations.filter(({ federation_id }) => isNew(federation_id)),
    ]
    for (const row of made)
      if ('key_id' in row) keys.set(row.key_id, row)
      else federations.set(row.federation_id, row)
    makers =
      directly === undefined ? made.map((row) => ('key_id' in row ? row.key_id : row.federation_id)) : []
  }
  return { keys: [...keys.values()], federations: [...federations.values()] }
}

const activeKeys = ({ db, at }: Unit) =>
  db
    .selectFrom('api_keys')
    .select(['key_id', 'federation_id', 'expires_at'])
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .forUpdate()

const activeFederations = ({ db, at }: Unit) =>
  db
    .selectFrom('federations')
    .selectAll()
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .forUpdate()
