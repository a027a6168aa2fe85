import { createHash } from 'node:crypto'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { PasskeysTable } from '../database/console-schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { MemberId, WorkspaceId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { NewPasskey } from './passkeys.ts'

interface Owner {
  readonly memberId: MemberId
  readonly workspaceId: WorkspaceId
}

export const passkeysOf = (db: Db, memberId: MemberId): Promise<PasskeysTable[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .orderBy('passkey_id')
    .execute()

export async function addPasskey(
  trx: Db,
  clock: Clock,
  { memberId, workspaceId }: Owner,
  made: NewPasskey,
  label: string,
): Promise<PasskeysTable> {
  const at = timestamp(clock.now())
  const taken = await trx
    .selectFrom('passkeys')
    .select('passkey_id')
    .where('passkey_id', '=', made.passkey_id)
    .executeTakeFirst()
  if (taken !== undefined) throw new Refusal('passkey_refused', 'This passkey is already registered.')
  const row = { ...made, member_id: memberId, label, created_at: at, last_used_at: null }
  await trx.insertInto('passkeys').values(row).execute()
  const event = { workspaceId, actor: { is: 'member', memberId }, subject: memberId } as const
  await recordEvent(trx, { ...event, action: 'passkey.added', details: { label }, at })
  return row
}

/** For URLs, because WebAuthn IDs can be very long. */
export const shortPasskeyId = ({ passkey_id }: Pick<PasskeysTable, 'passkey_id'>): string =>
  `pk_${createHash('sha256').update(passkey_id).digest('base64url').slice(0, 27)}`

export function labelPasskey(
  db: Db,
  clock: Clock,
  { memberId, workspaceId }: Owner,
  shortId: string,
  label: string,
): Promise<PasskeysTable> {
  return transact(db, async (trx) => {
    const row = await ownPasskey(trx, memberId, shortId)
    await trx.updateTable('passkeys').set({ label }).where('passkey_id', '=', row.passkey_id).execute()
    const event = { workspaceId, actor: { is: 'member', memberId }, subject: memberId } as const
    const details = { from: row.label, to: label }
    await recordEvent(trx, { ...event, action: 'passkey.renamed', details, at: timestamp(clock.now()) })
    return { ...row, label }
  })
}

async function ownPasskey(trx: Db, memberId: MemberId, shortId: string): Promise<PasskeysTable> {
  const row = (await passkeysOf(trx, memberId)).find((each) => shortPasskeyId(each) === shortId)
  if (row === undefined)
    throw new Refusal('passkey_not_found', 'Passkey not found. It may have been removed.')
  return row
}

/** `mayBeLast` allows removing the last passkey, if there is another way to sign in. */
export function removePasskey(
  db: Db,
  clock: Clock,
  { memberId, workspaceId }: Owner,
  shortId: string,
  mayBeLast: boolean,
): Promise<void> {
  return transact(db, async (trx) => {
    const at = timestamp(clock.now())
    const row = await ownPasskey(trx, memberId, shortId)
    const event = { workspaceId, actor: { is: 'member', memberId }, subject: memberId } as const
    await recordEvent(trx, { ...event, action: 'passkey.removed', details: { label: row.label }, at })
    await trx.deleteFrom('passkeys').where('passkey_id', '=', row.passkey_id).execute()
    const left = await passkeysOf(trx, memberId)
    if (left.length === 0 && !mayBeLast)
      throw new Refusal('last_passkey', 'This is your only passkey. Add another one before you remove it.')
  })
}
