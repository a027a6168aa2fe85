import type { PlansTable } from './database/schema.ts'
import { DEFAULT_UPLOAD_BYTES } from '@kitseal/evidence'

/** What a workspace may do, and how much of it. */
export interface Plan {
  readonly name: string
  readonly apiAccess: boolean
  /** Of all uploads of one submission together. */
  readonly uploadLimitBytes: number
  readonly unpackedLimitBytes: number
  readonly unpackedFiles: number
  /** Unpacked bytes for each packed one. */
  readonly unpackedRatio: number
  /** Undefined: kits are kept for good. */
  readonly retentionDays: number | undefined
  readonly ratePerMinute: number
}

/** The plan of a workspace for which none was named: what the contract gives everyone. */
export const DEFAULT_PLAN: Plan = {
  name: 'default',
  apiAccess: true,
  uploadLimitBytes: DEFAULT_UPLOAD_BYTES,
  unpackedLimitBytes: 1_073_741_824,
  unpackedFiles: 10_000,
  unpackedRatio: 200,
  retentionDays: undefined,
  ratePerMinute: 30_000,
}

export type PlanRow = Omit<PlansTable, 'created_at' | 'updated_at'>

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
  }
}

export function planRow(plan: Plan): PlanRow {
  return {
    plan: plan.name,
    api_access: plan.apiAccess ? 1 : 0,
    ...planLimits(plan),
  }
}

/** How much a plan allows, by the names that rows and answers have for it. */
export function planLimits(plan: Plan) {
  return {
    upload_limit_bytes: plan.uploadLimitBytes,
    unpacked_limit_bytes: plan.unpackedLimitBytes,
    unpacked_files: plan.unpackedFiles,
    unpacked_ratio: plan.unpackedRatio,
    retention_days: plan.retentionDays ?? null,
    rate_per_minute: plan.ratePerMinute,
  }
}
