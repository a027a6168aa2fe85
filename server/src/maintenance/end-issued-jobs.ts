import { type LogLeaf, type Receipt, receiptLeaf } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { removeTask } from '../tasks/tasks.ts'
import { SEAL } from '../submissions/statuses.ts'
import type { Kysely } from 'kysely'
import type { Database, SubmissionsTable } from '../database/schema.ts'
import type { JobId } from '../runtime/identifiers.ts'
import { issuedBeforeRestore } from '../submissions/blockers.ts'
import { finishSubmission } from '../submissions/finish-submission.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { withoutTriggers } from './database-copy.ts'

/**
 * Ends open jobs for which the log has a receipt that is not in this database: a kit was issued for them after the
 * backup. A second one would be a second receipt for the same job.
 */
export async function endIssuedJobs(
  trx: Kysely<Database>,
  leaves: readonly LogLeaf[],
  now: string,
): Promise<readonly JobId[]> {
  const tags = new Set(leaves.flatMap((leaf) => (leaf.kind === 'receipt' ? [leaf.job_tag] : [])))
  const open = await trx
    .selectFrom('submissions')
    .selectAll()
    .where('status', 'in', ['DRAFT', 'SUBMITTED', 'PASS'])
    .orderBy('workspace_id')
    .orderBy('job_id')
    .forUpdate()
    .execute()
  const issued = open.filter(({ job_id }) => tags.has(tagOf(job_id)))
  // After the restore, a worker may have sealed them again.
  if (issued.some(({ status }) => status === 'PASS'))
    await withoutTriggers(trx, async () => {
      for (const job of issued) if (job.status === 'PASS') await removeKit(trx, job)
    })
  for (const job of issued)
    if (job.status === 'DRAFT') await expire(trx, job, now)
    else await fail(trx, job, now)
  return issued.map(({ job_id }) => job_id)
}

/** The tag depends on the job ID only. */
function tagOf(job_id: JobId): string {
  return receiptLeaf({ job_id } as unknown as Receipt, nodeHost.digest).job_tag
}

/** The kit was never issued, and its leaf is not in the tree. */
async function removeKit(trx: Kysely<Database>, { job_id }: Readonly<SubmissionsTable>): Promise<void> {
  const kits = trx.selectFrom('kits').select('kit_id').where('job_id', '=', job_id)
  await trx.deleteFrom('log_leaves').where('kit_id', 'in', kits).where('leaf_index', 'is', null).execute()
  await trx.deleteFrom('kits').where('job_id', '=', job_id).execute()
  await trx.updateTable('submissions').set({ status: 'SUBMITTED' }).where('job_id', '=', job_id).execute()
}

async function fail(trx: Kysely<Database>, job: Readonly<SubmissionsTable>, now: string): Promise<void> {
  const blockers = [issuedBeforeRestore()]
  await trx
    .updateTable('submissions')
    .set({ status: 'FAIL', job_updated_at: now, blockers: JSON.stringify(blockers) })
    .where('job_id', '=', job.job_id)
    .execute()
  await removeTask(trx, SEAL, job.job_id)
  await finishSubmission.failed(trx, job, blockers, now)
}

async function expire(trx: Kysely<Database>, job: Readonly<SubmissionsTable>, now: string): Promise<void> {
  const { job_id, workspace_id } = job
  await trx
    .updateTable('submissions')
    .set({ status: 'EXPIRED', job_updated_at: now })
    .where('job_id', '=', job_id)
    .execute()
  if (workspace_id !== null)
    await recordEvent(trx, {
      workspaceId: workspace_id,
      actor: { is: 'operator' },
      action: 'job.expired',
      subject: job_id,
      at: now,
    })
}
