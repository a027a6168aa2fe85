import { timestamp, type Clock } from '../runtime/clock.ts'
import type { JobsTable } from '../database/schema.ts'
import type { WorkspaceCaller } from '../http/caller.ts'
import type { IntakeJobRequest } from './job-schemas.ts'
import type { Identifiers } from '../runtime/identifiers.ts'

const HOUR_MS = 3_600_000

export interface NewJobContext {
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly config: { readonly draftTtlHours: number }
}

/** The row of a new job. A draft expires unless evidence arrives. */
export function newJob(
  ctx: NewJobContext,
  { tenant_id, scope_label, status = 'SUBMITTED' }: IntakeJobRequest,
  caller: { readonly is: 'anyone' } | Pick<WorkspaceCaller, 'is' | 'workspaceId'>,
): JobsTable {
  const now = ctx.clock.now()
  return {
    job_id: ctx.identifiers.jobId(),
    tenant_id,
    scope_label,
    status,
    created_at: timestamp(now),
    updated_at: timestamp(now),
    expires_at: status === 'DRAFT' ? timestamp(now + ctx.config.draftTtlHours * HOUR_MS) : null,
    kit_id: null,
    authenticated: caller.is === 'workspace' ? 1 : 0,
    sealed_by: null,
    blockers: null,
    findings: null,
    workspace_id: caller.is === 'workspace' ? caller.workspaceId : null,
  }
}
