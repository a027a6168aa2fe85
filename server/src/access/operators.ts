import type { Db, MembersTable } from '../database/schema.ts'
import type { Unit, Units } from '../database/unit.ts'
import { endAccess, isProved, membershipsWith } from './member-queries.ts'

/** Takes effect with the next request. Members with the address find it in the audit log of their workspace. False if nothing changes. */
export function changeOperator(units: Units, given: string, action: 'operator.added' | 'operator.removed') {
  const actor = { is: 'operator' } as const
  return units.write({ actor }, action, async ({ db, at }) => {
    const email = given.toLowerCase()
    const changed =
      action === 'operator.removed'
        ? db.deleteFrom('operators').where('email', '=', email).returning('email').execute()
        : db
            .insertInto('operators')
            .values({ email, added_at: at })
            .onConflict((conflict) => conflict.doNothing())
            .returning('email')
            .execute()
    if ((await changed).length === 0) return false
    for (const { workspace_id: workspaceId, member_id } of await membershipsWith(db, email))
      await units.within(db, { workspaceId, actor }).record(action, member_id, { email })
    return true
  })
}

/** `waiting`: nobody has signed in yet in a way that proves the address. `workspaces` have a member with it. */
export async function listOperators(db: Db) {
  const rows = await db.selectFrom('operators').selectAll().orderBy('email').execute()
  return Promise.all(
    rows.map(async ({ email, added_at }) => {
      const members = await membershipsWith(db, email)
      const status = members.some(isProved) ? ('active' as const) : ('waiting' as const)
      return { email, added_at, status, workspaces: members.map(({ name }) => name) }
    }),
  )
}

/**
 * A link of the operator proves the address of an operator. Someone else may have joined with the address before, so earlier
 * passkeys and sessions end.
 */
export async function confirmOperator(unit: Unit, member: MembersTable): Promise<void> {
  const { db, at } = unit
  const { member_id: memberId, email } = member
  const found = db.selectFrom('operators').select('email').where('email', '=', email)
  if (isProved(member) || (await found.executeTakeFirst()) === undefined) return
  await unit.record('member.changed', memberId, { confirmed: true })
  await endAccess(db, memberId, at)
  await confirmAddress(unit, memberId)
}

export async function confirmAddress({ db, at }: Unit, memberId: MembersTable['member_id']): Promise<void> {
  await db.updateTable('members').set({ confirmed_at: at }).where('member_id', '=', memberId).execute()
}
