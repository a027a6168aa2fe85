import { BOUNDARY } from '@kitseal/kit/internal'
import type { IntakeJob } from './job-schemas.ts'
import type { JobsTable } from '../database/schema.ts'

export type JobView = Pick<
  JobsTable,
  'job_id' | 'tenant_id' | 'scope_label' | 'status' | 'created_at' | 'updated_at' | 'kit_id'
>

/** IntakeJob (contract 2.1). */
export function intakeJob(job: JobView): IntakeJob {
  return {
    job_id: job.job_id,
    tenant_id: job.tenant_id,
    scope_label: job.scope_label,
    status: job.status,
    created_at: job.created_at,
    updated_at: job.updated_at,
    kit_id: job.kit_id,
    boundary: BOUNDARY,
  }
}
