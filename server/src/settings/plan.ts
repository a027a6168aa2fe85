import type { PlansTable } from '../database/schema.ts'
import {
  DEFAULT_LIMITS,
  DEFAULT_UPLOAD_BYTES,
  type EvidencePolicy,
  type FindingClasses,
  OPEN_POLICY,
} from '@kitseal/evidence'

/** The limits of a workspace. */
export interface Plan {
  readonly name: string
  readonly apiAccess: boolean
  /** Total of all uploads of a submission. */
  readonly uploadLimitBytes: number
  readonly unpackedLimitBytes: number
  readonly unpackedFiles: number
  /** Most unpacked bytes per packed byte. */
  readonly unpackedRatio: number
  /** Undefined: kits are kept indefinitely. */
  readonly retentionDays: number | undefined
  readonly ratePerMinute: number
  /** What is asked of evidence beyond the rules. */
  readonly policy: EvidencePolicy
}

export const DEFAULT_PLAN: Plan = {
  name: 'default',
  apiAccess: true,
  uploadLimitBytes: DEFAULT_UPLOAD_BYTES,
  unpackedLimitBytes: DEFAULT_LIMITS.unpackedBytes,
  unpackedFiles: DEFAULT_LIMITS.entries,
  unpackedRatio: DEFAULT_LIMITS.ratio,
  retentionDays: undefined,
  ratePerMinute: 30_000,
  policy: OPEN_POLICY,
}

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
    policy: policyOf(row),
  }
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

/** The limits by their names in the database and the API. */
export function planLimits(plan: Plan) {
  return {
    upload_limit_bytes: plan.uploadLimitBytes,
    unpacked_limit_bytes: plan.unpackedLimitBytes,
    unpacked_files: plan.unpackedFiles,
    unpacked_ratio: plan.unpackedRatio,
    retention_days: plan.retentionDays ?? null,
    rate_per_minute: plan.ratePerMinute,
    evidence_policy: plan.policy.evidence,
    finding_classes: plan.policy.classes,
  }
}
