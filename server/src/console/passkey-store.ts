import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { PasskeysTable } from '../database/console-schema.ts'
import type { Database } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { MemberId, WorkspaceId } from '../identifiers.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../workspaces/audit-trail.ts'
import type { NewPasskey } from './passkeys.ts'

interface Owner {
  readonly memberId: MemberId
  readonly workspaceId: WorkspaceId
}

export const passkeysOf = (db: Kysely<Database>, memberId: MemberId): Promise<PasskeysTable[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .orderBy('passkey_id')
    .execute()

/** In the transaction that it signs somebody in with, or that a member adds it in. */
export async function addPasskey(
  trx: Kysely<Database>,
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
  if (taken !== undefined) throw new Refusal('passkey_refused', 'This passkey is registered already.')
  const row = { ...made, member_id: memberId, label, created_at: at, last_used_at: null }
  await trx.insertInto('passkeys').values(row).execute()
  const event = { workspaceId, actor: { is: 'member', memberId }, subject: memberId } as const
  await recordEvent(trx, { ...event, action: 'passkey.added', details: { label }, at })
  return row
}

export async function labelPasskey(
  db: Kysely<Database>,
  { memberId }: Owner,
  id: string,
  label: string,
): Promise<PasskeysTable> {
  const row = await db
    .updateTable('passkeys')
    .set({ label })
    .where('passkey_id', '=', id)
    .where('member_id', '=', memberId)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw notFound()
  return row
}

/** `mayBeLast` where there is another way to sign in. */
export function removePasskey(
  db: Kysely<Database>,
  clock: Clock,
  { memberId, workspaceId }: Owner,
  id: string,
  mayBeLast: boolean,
): Promise<void> {
  return transact(db, async (trx) => {
    const at = timestamp(clock.now())
    const all = await passkeysOf(trx, memberId)
    const row = all.find(({ passkey_id }) => passkey_id === id)
    if (row === undefined) throw notFound()
    const event = { workspaceId, actor: { is: 'member', memberId }, subject: memberId } as const
    await recordEvent(trx, { ...event, action: 'passkey.removed', details: { label: row.label }, at })
    await trx.deleteFrom('passkeys').where('passkey_id', '=', id).execute()
    const left = await passkeysOf(trx, memberId)
    if (left.length === 0 && !mayBeLast)
      throw new Refusal('last_passkey', 'This is your only passkey. Add another before you remove it.')
  })
}

const notFound = (): Refusal => new Refusal('passkey_not_found', 'You have no such passkey.')
