// docs/decisions/0275
import { ENVELOPE } from '@kitseal/kit'
import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../clock.ts'
import type { Database, KitEntry } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { JobId, KitId, WorkspaceId } from '../identifiers.ts'
import { readEntry } from '../kits/kit-documents.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { recordEvent } from '../workspaces/audit-trail.ts'

export interface RetentionContext {
  readonly db: Kysely<Database>
  readonly objects: Pick<ObjectStore, 'read'>
  readonly clock: Clock
  readonly log: { error(fields: object, message: string): void }
}

const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 100

/**
 * ISSUED → EXPIRED for kits past their plan's retention. Record, receipt and manifest are kept; the objects lose their
 * reference and are deleted by the next orphan sweep.
 */
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
    for (let after = '' as JobId; ;) {
      const due = await kitsBefore(ctx.db, plan, before, after)
      for (const kit of due) if (await expireKit(ctx, kit, days)) expired += 1
      after = due.at(-1)?.job_id ?? after
      if (due.length < BATCH) break
    }
  }
  return expired
}

interface DueKit {
  readonly kit_id: KitId
  readonly job_id: JobId
  readonly workspace_id: WorkspaceId | null
  readonly entries: string
}

function kitsBefore(db: Kysely<Database>, plan: string, before: string, after: JobId): Promise<DueKit[]> {
  return db
    .selectFrom('jobs')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'jobs.workspace_id')
    .innerJoin('kits', 'kits.job_id', 'jobs.job_id')
    .select(['kits.kit_id', 'jobs.job_id', 'jobs.workspace_id', 'kits.entries'])
    .where('workspaces.plan', '=', plan)
    .where('jobs.status', '=', 'ISSUED')
    .where('jobs.updated_at', '<=', before)
    .where('jobs.job_id', '>', after)
    .orderBy('jobs.job_id')
    .limit(BATCH)
    .execute()
}

async function expireKit(ctx: RetentionContext, kit: DueKit, retentionDays: number): Promise<boolean> {
  const manifest = await manifestOf(ctx, kit)
  if (manifest === undefined || kit.workspace_id === null) return false
  const [workspaceId, at] = [kit.workspace_id, timestamp(ctx.clock.now())]
  return transact(ctx.db, async (trx) => {
    if (await isBeingReissued(trx, kit)) return false
    const { numUpdatedRows } = await trx
      .updateTable('jobs')
      .set({ status: 'EXPIRED', updated_at: at })
      .where('job_id', '=', kit.job_id)
      .where('status', '=', 'ISSUED')
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
    await trx.insertInto('expired_kits').values({ kit_id: kit.kit_id, expired_at: at, manifest }).execute()
    await trx.deleteFrom('kit_objects').where('kit_id', '=', kit.kit_id).execute()
    const details = { job_id: kit.job_id, retention_days: retentionDays }
    const event = {
      workspaceId,
      actor: { is: 'service' },
      action: 'kit.expired',
      subject: kit.kit_id,
    } as const
    await recordEvent(trx, { ...event, details, at })
    return true
  })
}

/** Whether a worker still needs the evidence. Locks the job, so that no re-issue is requested meanwhile. */
async function isBeingReissued(trx: Kysely<Database>, { job_id, kit_id }: DueKit): Promise<boolean> {
  await trx.selectFrom('jobs').select('job_id').where('job_id', '=', job_id).forUpdate().execute()
  const reissue = await trx
    .selectFrom('submissions')
    .innerJoin('jobs', 'jobs.job_id', 'submissions.job_id')
    .select('submissions.submission_id')
    .where('submissions.replaces_kit_id', '=', kit_id)
    .where('jobs.status', 'in', ['DRAFT', 'SUBMITTED', 'PASS'])
    .executeTakeFirst()
  return reissue !== undefined
}

/** A kit whose manifest cannot be read is not expired. The scrub reports the problem. */
async function manifestOf(ctx: RetentionContext, kit: DueKit): Promise<string | undefined> {
  const entry = (JSON.parse(kit.entries) as readonly KitEntry[]).find(
    ({ path }) => path === ENVELOPE.manifest,
  )
  if (entry === undefined) return undefined
  try {
    return (await readEntry(ctx.objects, kit.kit_id, entry)).toString()
  } catch (error) {
    if (error instanceof Error && error.name === 'ObjectsUnavailable') throw error
    ctx.log.error({ err: error, kit_id: kit.kit_id }, 'cannot expire a kit: its manifest is unreadable')
    return undefined
  }
}
