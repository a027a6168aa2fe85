import { logHeads } from '../audit/audit-heads.ts'
import { forgetMails } from '../deliveries/send-mail.ts'
import { openPeriods } from '../requests/open-period.ts'
import { remind } from '../requests/request-mail.ts'
import { sweep } from '../submissions/expire-drafts.ts'
import { sweepUploads } from '../submissions/resumable-uploads.ts'
import { type Kind, recurring } from '../tasks/run-tasks.ts'
import { expireKits, expireOpenKits } from './expire-kits.ts'
import { type MaintenanceContext, progressOf } from './task-progress.ts'
import { scrub } from './scrub-objects.ts'
import { sweepInBackground } from './sweep-objects.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** What the service does by itself again and again: each on one node at a time. */
export function maintenanceTasks(ctx: MaintenanceContext): readonly Kind[] {
  const counted = (name: string, count: () => Promise<number>): Kind =>
    recurring(name, HOUR_MS / 4, async () => {
      const done = await count()
      const { state, save } = await progressOf(ctx, name)
      await save({ total: (state.total ?? 0) + done }, true)
    })
  return [
    recurring('drafts', 30 * SECOND_MS, async () => void (await sweep(ctx.db, ctx.clock))),
    recurring('uploads', 30 * SECOND_MS, async () => void (await sweepUploads(ctx))),
    recurring('orphans', 5 * MINUTE_MS, (stopping) => sweepInBackground(ctx, stopping)),
    recurring('old mail', HOUR_MS, () => forgetMails(ctx.db, ctx.clock)),
    counted('retention', async () => {
      const expired = (await expireKits(ctx)) + (await expireOpenKits(ctx, ctx.config.openIntakeTtlDays))
      if (expired > 0) ctx.log.info({ expired }, 'kits expired')
      return expired
    }),
    counted('audit', () => logHeads(ctx)),
    counted('requests', async () => {
      const opened = await openPeriods(ctx)
      await remind(ctx)
      return opened
    }),
    ...(ctx.config.scrubBytesPerSecond === 0
      ? []
      : [recurring('scrub', 24 * HOUR_MS, (stopping) => scrub(ctx, stopping))]),
  ]
}
