import { startPage } from '@kitseal/kit/internal/node'
import { transact } from '../database/transact.ts'
import { remindSuppliers } from '../sharing/request-mail.ts'
import { openPeriods } from '../sharing/open-period.ts'
import { remindOwners } from '../sharing/program-mail.ts'
import { logHeads } from '../audit/audit-heads.ts'
import { expireKits, expireOpenKits } from './expire-kits.ts'
import type { MaintenanceContext } from './maintenance-context.ts'
import { scrub } from './scrub-in-background.ts'
import { sweepInBackground } from './sweep-in-background.ts'
import { leaseTask, type Task, type TaskLease } from './task-leases.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const EVERY_MS: Readonly<Record<Task, number>> = {
  scrub: 24 * HOUR_MS,
  orphans: HOUR_MS / 12,
  retention: HOUR_MS / 4,
  audit: HOUR_MS / 4,
  requests: HOUR_MS / 4,
}
/** Less than the shortest orphan grace period. */
const PAGE_EVERY_MS = HOUR_MS / 4
const CHECK_EVERY_MS = MINUTE_MS
const FIRST_CHECK_MS = 2 * MINUTE_MS

export type Maintenance = ReturnType<typeof startMaintenance>

/** Runs scrub, orphan sweep, retention, logging of audit heads, periods and reminders in the background. Each task runs on one node at a time. */
export function startMaintenance(ctx: MaintenanceContext) {
  const state = { stopping: false }
  const isStopping = (): boolean => state.stopping
  const tasks: Readonly<Record<Task, (lease: TaskLease) => Promise<void>>> = {
    scrub: (lease) => scrub(ctx, lease, isStopping),
    orphans: (lease) => sweepInBackground(ctx, lease, isStopping),
    retention: (lease) => retention(ctx, lease),
    audit: (lease) => audit(ctx, lease),
    requests: (lease) => requests(ctx, lease),
  }
  const running = new Map<Task, Promise<void>>()

  const attempt = async (task: Task): Promise<void> => {
    try {
      const lease = await leaseTask(ctx, task, EVERY_MS[task])
      if (lease === undefined) return
      await tasks[task](lease).finally(() => lease.release())
    } catch (error) {
      if (!state.stopping) ctx.log.error({ err: error, task }, 'maintenance failed')
    }
  }

  const runDueTasks = (): void => {
    for (const task of Object.keys(tasks) as Task[]) {
      if (running.has(task) || (task === 'scrub' && ctx.config.scrubBytesPerSecond === 0)) continue
      running.set(
        task,
        attempt(task).finally(() => running.delete(task)),
      )
    }
  }
  // Future kits need the start page, but no record refers to it yet. Storing it again keeps it from being an old orphan.
  const storePage = (): void => {
    ctx.objects
      .put(startPage(ctx.issuer))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'cannot store the start page'))
  }
  const page = setInterval(storePage, PAGE_EVERY_MS).unref()
  const next = (afterMs: number): NodeJS.Timeout =>
    setTimeout(() => {
      runDueTasks()
      timer = next(CHECK_EVERY_MS)
    }, afterMs).unref()
  let timer = next(FIRST_CHECK_MS)
  return {
    /** Runs the tasks that are due, now. */
    run: async (): Promise<void> => {
      runDueTasks()
      await Promise.all(running.values())
    },
    stop: async (): Promise<void> => {
      state.stopping = true
      clearInterval(page)
      clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}

async function retention(ctx: MaintenanceContext, lease: TaskLease): Promise<void> {
  const expired = (await expireKits(ctx)) + (await expireOpenKits(ctx, ctx.config.openIntakeTtlDays))
  if (expired > 0) ctx.log.info({ expired }, 'kits expired')
  await lease.save({ total: (lease.state.total ?? 0) + expired }, true)
}

async function audit(ctx: MaintenanceContext, lease: TaskLease): Promise<void> {
  const logged = await logHeads(ctx)
  await lease.save({ total: (lease.state.total ?? 0) + logged }, true)
}

async function requests(ctx: MaintenanceContext, lease: TaskLease): Promise<void> {
  const opened = await openPeriods(ctx)
  await remindSuppliers(ctx, (work) => transact(ctx.db, work))
  await remindOwners(ctx, (work) => transact(ctx.db, work))
  await lease.save({ total: (lease.state.total ?? 0) + opened.length }, true)
}
