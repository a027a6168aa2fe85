import { jobTag, type LogLeaf } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { sql, type SqlBool } from 'kysely'
import { recordEvent } from '../audit/audit-trail.ts'
import type { Db, SubmissionsTable } from '../database/schema.ts'
import { endOpenKit, type EraseContext, eraseKit, ManifestUnreadable } from '../kits/erase-kit.ts'
import { withoutTriggers } from './database-copy.ts'
import { timestamp } from '../runtime/clock.ts'
import type { JobId, KitId, WorkspaceId } from '../runtime/identifiers.ts'
import { issuedBeforeRestore } from '../submissions/blockers.ts'
import { finishSubmission } from '../submissions/finish-submission.ts'
import { SEAL } from '../submissions/statuses.ts'
import { removeTask } from '../tasks/tasks.ts'

interface RetentionContext extends EraseContext {
  readonly log: { error(fields: object, message: string): void }
}

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 100

/** Erases kits past their plan's retention, unless they are under a legal hold. */
export async function expireKits(ctx: RetentionContext): Promise<number> {
  const plans = await ctx.db
    .selectFrom('plans')
    .select(['plan', 'retention_days'])
    .where('retention_days', 'is not', null)
    .execute()
  let expired = 0
  for (const { plan, retention_days } of plans) {
    const days = Number(retention_days)
    const before = timestamp(ctx.clock.now() - days * DAY_MS)
    for (const { workspace_id } of await workspacesBefore(ctx.db, plan, before))
      for await (const kit of kitsBefore(ctx.db, workspace_id, before))
        if (await expireKit(ctx, kit, plan, days)) expired += 1
  }
  return expired
}

/** Workspaces of a plan that have a kit to erase. */
function workspacesBefore(db: Db, plan: string, before: string) {
  return (
    db
      .selectFrom('workspaces')
      .select('workspace_id')
      .where('plan', '=', plan)
      // Its oldest kit, not `exists`, for which PostgreSQL would read all jobs.
      .where(({ eb, selectFrom }) =>
        eb(
          selectFrom('submissions')
            .select('submissions.job_updated_at')
            .whereRef('submissions.workspace_id', '=', 'workspaces.workspace_id')
            .where('submissions.status', '=', 'ISSUED')
            .orderBy('submissions.job_updated_at')
            .limit(1),
          '<=',
          before,
        ),
      )
      .orderBy('workspace_id')
      .execute()
  )
}

interface DueKit {
  readonly kit_id: KitId
  readonly job_id: JobId
  readonly workspace_id: WorkspaceId | null
  readonly entries: string
  readonly receipt: string
}

/** In the order of the index, oldest first. Kits under a legal hold stay, so that the next page begins after them. */
async function* kitsBefore(db: Db, workspaceId: WorkspaceId | null, before: string): AsyncGenerator<DueKit> {
  for (let after = { job_updated_at: '', job_id: '' }; ;) {
    const due = await db
      .selectFrom('submissions')
      .innerJoin('kits', 'kits.job_id', 'submissions.job_id')
      .select([
        'kits.kit_id',
        'submissions.job_id',
        'submissions.workspace_id',
        'kits.entries',
        'kits.receipt',
      ])
      .select('submissions.job_updated_at')
      .where('submissions.workspace_id', workspaceId === null ? 'is' : '=', workspaceId)
      .where('submissions.status', '=', 'ISSUED')
      .where('submissions.job_updated_at', '<=', before)
      .where(sql<SqlBool>`(job_updated_at, submissions.job_id) > (${after.job_updated_at}, ${after.job_id})`)
      .orderBy('submissions.job_updated_at')
      .orderBy('submissions.job_id')
      .limit(BATCH)
      .execute()
    yield* due
    after = due.at(-1) ?? after
    if (due.length < BATCH) return
  }
}

/** Ends kits of open intake, which have no plan, after some days. */
export async function expireOpenKits(ctx: RetentionContext, days: number): Promise<number> {
  const before = timestamp(ctx.clock.now() - days * DAY_MS)
  let ended = 0
  for await (const kit of kitsBefore(ctx.db, null, before))
    if (await unlessUnreadable(ctx, kit, () => endOpenKit(ctx, kit))) ended += 1
  return ended
}

async function expireKit(ctx: RetentionContext, kit: DueKit, plan: string, days: number): Promise<boolean> {
  const { workspace_id, kit_id, job_id } = kit
  if (workspace_id === null) return false
  const rule = `${days} days after the kit was issued, by the plan ${plan}`
  const order = { reason: 'retention', rule, ordered_by: null } as const
  return unlessUnreadable(ctx, kit, async () => {
    const erased = await eraseKit(ctx, { ...kit, workspace_id }, order, ({ files, bytes }) => ({
      actor: { is: 'service' },
      action: 'kit.expired',
      subject: kit_id,
      details: { job_id, retention_days: days, files, bytes },
    }))
    return erased.is === 'erased'
  })
}

/** A kit whose manifest cannot be read is not expired. The scrub reports the problem. */
async function unlessUnreadable(
  { log }: RetentionContext,
  { kit_id }: Pick<DueKit, 'kit_id'>,
  expire: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await expire()
  } catch (error) {
    if (!(error instanceof ManifestUnreadable)) throw error
    log.error({ err: error.cause, kit_id }, 'cannot expire a kit: its manifest is unreadable')
    return false
  }
}

/**
 * Ends open jobs for which the log has a receipt that is not in this database: a kit was issued for them after the
 * backup. A second one would be a second receipt for the same job.
 */
export async function endIssuedJobs(trx: Db, leaves: readonly LogLeaf[], now: string) {
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
    if (job.status === 'DRAFT') await expireDraft(trx, job, now)
    else await fail(trx, job, now)
  return issued.map(({ job_id }) => job_id)
}

const tagOf = (job_id: JobId): string => jobTag(job_id, nodeHost.digest)

/** The kit was never issued, and its leaf is not in the tree. */
async function removeKit(trx: Db, { job_id }: Readonly<SubmissionsTable>): Promise<void> {
  const kits = trx.selectFrom('kits').select('kit_id').where('job_id', '=', job_id)
  await trx.deleteFrom('log_leaves').where('kit_id', 'in', kits).where('leaf_index', 'is', null).execute()
  await trx.deleteFrom('kits').where('job_id', '=', job_id).execute()
  await trx.updateTable('submissions').set({ status: 'SUBMITTED' }).where('job_id', '=', job_id).execute()
}

async function fail(trx: Db, job: Readonly<SubmissionsTable>, now: string): Promise<void> {
  const blockers = [issuedBeforeRestore()]
  await trx
    .updateTable('submissions')
    .set({ status: 'FAIL', job_updated_at: now, blockers: JSON.stringify(blockers) })
    .where('job_id', '=', job.job_id)
    .execute()
  await removeTask(trx, SEAL, job.job_id)
  await finishSubmission.failed(trx, job, blockers, now)
}

async function expireDraft(trx: Db, job: Readonly<SubmissionsTable>, now: string): Promise<void> {
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
