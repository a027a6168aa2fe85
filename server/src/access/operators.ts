import { recordEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'
import type { MembersTable } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { endAccess, membershipsWith, isProved } from './member-queries.ts'

export interface Operator {
  readonly email: string
  readonly added_at: string
  /** `waiting`: nobody has signed in yet in a way that proves the address. */
  readonly status: 'active' | 'waiting'
  /** The workspaces that have a member with the address. */
  readonly workspaces: readonly string[]
}

/** An operator in the console. */
export type OperatorActor = Extract<Actor, { is: 'operator' }>

const COMMAND_LINE: OperatorActor = { is: 'operator' }

/** Who looks after the service in the console. Members with the address find it in the audit log of their workspace. */
export function operators(db: Db, clock: Clock) {
  const record = async (trx: Db, email: string, action: 'operator.added' | 'operator.removed') => {
    const at = timestamp(clock.now())
    for (const { workspace_id: workspaceId, member_id: subject } of await membershipsWith(trx, email))
      await recordEvent(trx, { workspaceId, actor: COMMAND_LINE, action, subject, details: { email }, at })
  }
  return {
    /** False if the address already is an operator's. */
    add: (given: string): Promise<boolean> =>
      transact(db, async (trx) => {
        const email = given.toLowerCase()
        const { numInsertedOrUpdatedRows: added } = await trx
          .insertInto('operators')
          .values({ email, added_at: timestamp(clock.now()) })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        if (added !== 1n) return false
        await record(trx, email, 'operator.added')
        return true
      }),
    /** Takes effect with the next request. False if there is no such operator. */
    remove: (given: string): Promise<boolean> =>
      transact(db, async (trx) => {
        const email = given.toLowerCase()
        const removed = await trx.deleteFrom('operators').where('email', '=', email).executeTakeFirst()
        if (removed.numDeletedRows !== 1n) return false
        await record(trx, email, 'operator.removed')
        return true
      }),
    list: async (): Promise<readonly Operator[]> => {
      const rows = await db.selectFrom('operators').selectAll().orderBy('email').execute()
      return Promise.all(
        rows.map(async ({ email, added_at }) => {
          const members = await membershipsWith(db, email)
          const status = members.some(isProved) ? ('active' as const) : ('waiting' as const)
          return { email, added_at, status, workspaces: members.map(({ name }) => name) }
        }),
      )
    },
  }
}

/**
 * A link of the operator proves the address of an operator. Someone else may have joined with the address before, so earlier
 * passkeys and sessions end.
 */
export async function confirmOperator(trx: Db, member: MembersTable, at: string): Promise<void> {
  const { workspace_id: workspaceId, member_id: memberId, email } = member
  const found = trx.selectFrom('operators').select('email').where('email', '=', email)
  if (isProved(member) || (await found.executeTakeFirst()) === undefined) return
  const event = { workspaceId, actor: { is: 'member', memberId }, subject: memberId, at } as const
  await recordEvent(trx, { ...event, action: 'member.changed', details: { confirmed: true } })
  await endAccess(trx, memberId, at)
  await trx.updateTable('members').set({ confirmed_at: at }).where('member_id', '=', memberId).execute()
}
