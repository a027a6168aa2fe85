// docs/decisions/0275
import type { Kysely } from 'kysely'
import { timestamp } from '../clock.ts'
import type { Database } from '../database/schema.ts'
import type { JobId, KitId, WorkspaceId } from '../identifiers.ts'
import { type EraseContext, eraseKit, ManifestUnreadable } from '../kits/erase-kit.ts'

export interface RetentionContext extends EraseContext {
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
    for (let after = '' as JobId; ;) {
      const due = await kitsBefore(ctx.db, plan, before, after)
      for (const kit of due) if (await expireKit(ctx, kit, plan, days)) expired += 1
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
  readonly receipt: string
}

function kitsBefore(db: Kysely<Database>, plan: string, before: string, after: JobId): Promise<DueKit[]> {
  return db
    .selectFrom('jobs')
    .innerJoin('workspaces', 'workspaces.workspace_id', 'jobs.workspace_id')
    .innerJoin('kits', 'kits.job_id', 'jobs.job_id')
    .select(['kits.kit_id', 'jobs.job_id', 'jobs.workspace_id', 'kits.entries', 'kits.receipt'])
    .where('workspaces.plan', '=', plan)
    .where('jobs.status', '=', 'ISSUED')
    .where('jobs.updated_at', '<=', before)
    .where('jobs.job_id', '>', after)
    .orderBy('jobs.job_id')
    .limit(BATCH)
    .execute()
}

/** A kit whose manifest cannot be read is not expired. The scrub reports the problem. */
async function expireKit(ctx: RetentionContext, kit: DueKit, plan: string, days: number): Promise<boolean> {
  const { workspace_id, kit_id, job_id } = kit
  if (workspace_id === null) return false
  const rule = `${days} days after the kit was issued, by the plan ${plan}`
  const order = { reason: 'retention', rule, ordered_by: null } as const
  try {
    const erased = await eraseKit(ctx, { ...kit, workspace_id }, order, ({ files, bytes }) => ({
      actor: { is: 'service' },
      action: 'kit.expired',
      subject: kit_id,
      details: { job_id, retention_days: days, files, bytes },
    }))
    return erased.is === 'erased'
  } catch (error) {
    if (!(error instanceof ManifestUnreadable)) throw error
    ctx.log.error({ err: error.cause, kit_id }, 'cannot expire a kit: its manifest is unreadable')
    return false
  }
}
