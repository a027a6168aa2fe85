import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db, PlansTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type NewEvent, recordEvents } from '../audit/audit-trail.ts'
import type { Actor, CallerActor } from '../runtime/actor.ts'
import { DEFAULT_PLAN, type Plan, planLimits } from '../settings/plan.ts'
import type { FindingClasses } from '@kitseal/examiner'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

export type PlanChange = Partial<Omit<Plan, 'name' | 'policy'>> & {
  readonly policy?: Partial<Plan['policy']>
}

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
    /** Takes effect with the next request of every workspace on this plan, and is in their audit logs. False if there is no such plan. */
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
        const event = {
          actor,
          action: 'plan.changed',
          subject: name,
          details: changesOf(row, after),
          at,
        } as const
        const affected = await trx
          .selectFrom('workspaces')
          .select('workspace_id')
          .where('plan', '=', name)
          .execute()
        await recordEvents(
          trx,
          affected.map(({ workspace_id: workspaceId }) => Object.assign({ workspaceId }, event)),
        )
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

export const ensureDefaultPlan = (db: Db, clock: Clock): Promise<boolean> =>
  insertPlan(db, clock, DEFAULT_PLAN)

/** False if the name exists. */
async function insertPlan(db: Db, clock: Clock, plan: Plan): Promise<boolean> {
  const now = timestamp(clock.now())
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('plans')
    .values({ ...planRow(plan), created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export type PlanRow = Omit<PlansTable, 'created_at' | 'updated_at'>

/** The columns of a `PlanRow`, for queries that join `plans`. */
export const PLAN_COLUMNS = Object.keys(planRow(DEFAULT_PLAN)).map(
  (column) => `plans.${column}` as `plans.${keyof PlanRow}`,
)

export function planOf(row: PlanRow): Plan {
  const { evidence_policy: evidence, finding_classes: classes } = row
  return {
    name: row.plan,
    apiAccess: row.api_access === 1,
    uploadLimitBytes: row.upload_limit_bytes,
    unpackedLimitBytes: row.unpacked_limit_bytes,
    unpackedFiles: row.unpacked_files,
    unpackedRatio: row.unpacked_ratio,
    retentionDays: row.retention_days ?? undefined,
    ratePerMinute: row.rate_per_minute,
    storageLimitBytes: row.storage_limit_bytes ?? undefined,
    mailsPerDay: row.mails_per_day,
    policy: { evidence, classes: classes === null ? {} : (JSON.parse(classes) as FindingClasses) },
  }
}

/** Someone who acts for a workspace, whose credits and limits count. */
export async function workspaceCaller(
  db: Db,
  workspaceId: WorkspaceId,
  actor: CallerActor,
): Promise<WorkspaceCaller> {
  const row = await db
    .selectFrom('workspaces')
    .innerJoin('plans', 'plans.plan', 'workspaces.plan')
    .select(PLAN_COLUMNS)
    .where('workspaces.workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { is: 'workspace', workspaceId, actor, plan: planOf(row) }
}

function planRow(plan: Plan): PlanRow {
  return {
    plan: plan.name,
    api_access: plan.apiAccess ? 1 : 0,
    ...planLimits(plan),
    finding_classes:
      Object.keys(plan.policy.classes).length === 0 ? null : JSON.stringify(plan.policy.classes),
  }
}
