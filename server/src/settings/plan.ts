import { DEFAULT_LIMITS, DEFAULT_UPLOAD_BYTES, type EvidencePolicy, OPEN_POLICY } from '@kitseal/examiner'

import { LIMITS } from './limits.ts'

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
  /** Of all submissions together. Undefined: no limit. */
  readonly storageLimitBytes: number | undefined
  /** To people who are not members of the workspace. */
  readonly mailsPerDay: number
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
  storageLimitBytes: undefined,
  mailsPerDay: LIMITS.mails.value,
  policy: OPEN_POLICY,
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
    storage_limit_bytes: plan.storageLimitBytes ?? null,
    mails_per_day: plan.mailsPerDay,
    evidence_policy: plan.policy.evidence,
    finding_classes: plan.policy.classes,
  }
}
