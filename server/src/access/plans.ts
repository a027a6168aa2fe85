import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type NewEvent, recordEvent } from '../audit/audit-trail.ts'
import type { Actor } from '../runtime/actor.ts'
import { DEFAULT_PLAN, type Plan } from '../settings/plan.ts'
import { planOf, type PlanRow, planRow } from './plan-rows.ts'

export type PlanChange = Partial<Omit<Plan, 'name' | 'policy'>> & {
  readonly policy?: Partial<Plan['policy']>
}

export type Plans = ReturnType<typeof plans>

export function plans(db: Db, clock: Clock) {
  const find = async (name: string): Promise<Plan | undefined> => {
    const row = await db.selectFrom('plans').selectAll().where('plan', '=', name).executeTakeFirst()
    return row === undefined ? undefined : planOf(row)
  }
  return {
    find,
    list: async (): Promise<readonly Plan[]> =>
      (await db.selectFrom('plans').selectAll().orderBy('plan').execute()).map(planOf),
    /** Starts from the default plan. False if the name exists. */
    create: (name: string, change: PlanChange): Promise<boolean> =>
      insertPlan(db, clock, withChange(DEFAULT_PLAN, change, name)),
    /** Takes effect with the next request of every workspace on this plan. False if there is no such plan. */
    update: (name: string, change: PlanChange, actor: Actor = { is: 'operator' }): Promise<boolean> =>
      transact(db, async (trx) => {
        const row = await trx
          .selectFrom('plans')
          .selectAll()
          .where('plan', '=', name)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return false
        const at = timestamp(clock.now())
        const after = planRow(withChange(planOf(row), change, name))
        const { plan: _, ...columns } = after
        await trx
          .updateTable('plans')
          .set({ ...columns, updated_at: at })
          .where('plan', '=', name)
          .execute()
        await recordPlanChange(trx, name, changesOf(planRow(planOf(row)), after), actor, at)
        return true
      }),
  }
}

const withChange = (plan: Plan, change: PlanChange, name: string): Plan => ({
  ...plan,
  ...change,
  policy: { ...plan.policy, ...change.policy },
  name,
})

function changesOf(before: PlanRow, after: PlanRow): NonNullable<NewEvent['details']> {
  const changed = Object.entries(after).filter(([column, value]) => before[column as keyof PlanRow] !== value)
  return Object.fromEntries(
    changed.map(([column, value]) => [column, column === 'api_access' ? value === 1 : value]),
  )
}

/** Records the change in the audit log of every workspace on this plan. */
async function recordPlanChange(
  trx: Db,
  plan: string,
  details: NonNullable<NewEvent['details']>,
  actor: Actor,
  at: string,
): Promise<void> {
  const affected = await trx
    .selectFrom('workspaces')
    .select('workspace_id')
    .where('plan', '=', plan)
    .orderBy('workspace_id')
    .execute()
  const event = { actor, action: 'plan.changed', subject: plan, details, at } as const
  for (const { workspace_id: workspaceId } of affected) await recordEvent(trx, { ...event, workspaceId })
}

export async function ensureDefaultPlan(db: Db, clock: Clock): Promise<void> {
  await insertPlan(db, clock, DEFAULT_PLAN)
}

async function insertPlan(db: Db, clock: Clock, plan: Plan): Promise<boolean> {
  const now = timestamp(clock.now())
  const result = await db
    .insertInto('plans')
    .values({ ...planRow(plan), created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}
