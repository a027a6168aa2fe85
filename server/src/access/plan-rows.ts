import type { EvidencePolicy, FindingClasses } from '@kitseal/examiner'
import type { Db, PlansTable } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { CallerActor } from '../runtime/actor.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { type Plan, planLimits } from '../settings/plan.ts'

export type PlanRow = Omit<PlansTable, 'created_at' | 'updated_at'>

/** The columns of a `PlanRow`, for queries that join `plans`. */
export const PLAN_COLUMNS = [
  'plans.plan',
  'plans.api_access',
  'plans.upload_limit_bytes',
  'plans.unpacked_limit_bytes',
  'plans.unpacked_files',
  'plans.unpacked_ratio',
  'plans.retention_days',
  'plans.rate_per_minute',
  'plans.storage_limit_bytes',
  'plans.mails_per_day',
  'plans.evidence_policy',
  'plans.finding_classes',
] as const

export function planOf(row: PlanRow): Plan {
  return {
    name: row.plan,
    apiAccess: row.api_access === 1,
    uploadLimitBytes: Number(row.upload_limit_bytes),
    unpackedLimitBytes: Number(row.unpacked_limit_bytes),
    unpackedFiles: row.unpacked_files,
    unpackedRatio: row.unpacked_ratio,
    retentionDays: row.retention_days ?? undefined,
    ratePerMinute: row.rate_per_minute,
    storageLimitBytes: row.storage_limit_bytes === null ? undefined : Number(row.storage_limit_bytes),
    mailsPerDay: row.mails_per_day,
    policy: policyOf(row),
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

export function planRow(plan: Plan): PlanRow {
  return {
    plan: plan.name,
    api_access: plan.apiAccess ? 1 : 0,
    ...planLimits(plan),
    finding_classes:
      Object.keys(plan.policy.classes).length === 0 ? null : JSON.stringify(plan.policy.classes),
  }
}

export function policyOf(row: Pick<PlanRow, 'evidence_policy' | 'finding_classes'>): EvidencePolicy {
  const { evidence_policy: evidence, finding_classes: classes } = row
  return { evidence, classes: classes === null ? {} : (JSON.parse(classes) as FindingClasses) }
}
