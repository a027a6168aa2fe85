import { sweepConsole } from '../access/sessions.ts'
import { logHeads } from '../audit/audit-heads.ts'
import { forgetMails } from '../deliveries/send-mail.ts'
import { openPeriods } from '../requests/open-period.ts'
import { remind } from '../requests/request-mail.ts'
import { sweep } from '../submissions/expire-drafts.ts'
import { sweepUploads } from '../submissions/resumable-uploads.ts'
import { type Kind, recurring } from '../tasks/run-tasks.ts'
import { expireKits, expireOpenKits } from './expire-kits.ts'
import { type MaintenanceContext, progressOf, type TaskReport, taskReports } from './task-progress.ts'
import { scrub, scrubReport } from './scrub-objects.ts'
import { eraseObjects, sweepUnaccepted } from './sweep-objects.ts'
import type { Registry } from 'prom-client'
import { gauge, sharedReading } from '../runtime/gauges.ts'
import type { Db } from '../database/schema.ts'
import { BACKUP_NOTE } from './backup.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** What the service does by itself again and again: each on one node at a time. */
export function maintenanceTasks(ctx: MaintenanceContext): readonly Kind[] {
  const counted = (
    name: string,
    count: (stopping: AbortSignal) => Promise<number>,
    everyMs = HOUR_MS / 4,
  ): Kind =>
    recurring(name, everyMs, async (stopping) => {
      const done = await count(stopping)
      const { save } = await progressOf(ctx, name)
      await save(({ total = 0 }) => ({ total: total + done }), !stopping.aborted)
      return stopping.aborted ? { is: 'again', fault: 'none', delayMs: 0 } : { is: 'done' }
    })
  return [
    recurring('drafts', 30 * SECOND_MS, async () => void (await sweep(ctx.db, ctx.clock))),
    recurring('uploads', 30 * SECOND_MS, async () => void (await sweepUploads(ctx))),
    counted('erasures', (stopping) => eraseObjects(ctx, stopping), 5 * MINUTE_MS),
    // Listing millions of objects takes thousands of requests.
    counted('orphans', (stopping) => sweepUnaccepted(ctx, stopping), 6 * HOUR_MS),
    recurring('old mail', HOUR_MS, async () => {
      await forgetMails(ctx.db, ctx.clock)
      await sweepConsole(ctx.db, ctx.clock)
    }),
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

type Reports = ReadonlyMap<string, TaskReport>

const totalOf =
  (task: string) =>
  (reports: Reports): number =>
    reports.get(task)?.total ?? 0
const seconds = (at: string | null | undefined): number => (at == null ? 0 : Date.parse(at) / 1000)

const METRICS: readonly (readonly [name: string, help: string, read: (reports: Reports) => number])[] = [
  ['kitseal_scrub_objects_total', 'Objects read and hashed again.', totalOf('scrub')],
  [
    'kitseal_scrub_bad_objects',
    'Missing or damaged objects found by the last complete scrub or the current one.',
    (reports) => scrubReport(reports).bad,
  ],
  [
    'kitseal_scrub_last_finished_seconds',
    'When the last complete scrub finished.',
    (reports) => seconds(scrubReport(reports).finishedAt),
  ],
  [
    'kitseal_orphans_removed_total',
    'Objects deleted because they were erased, or never accepted.',
    (reports) => totalOf('erasures')(reports) + totalOf('orphans')(reports),
  ],
  [
    'kitseal_orphans_last_swept_seconds',
    'When erased and unaccepted objects were last swept.',
    (reports) => seconds(reports.get('erasures')?.finishedAt),
  ],
  ['kitseal_kits_expired_total', 'Kits that expired at the end of their retention.', totalOf('retention')],
  [
    'kitseal_backup_last_finished_seconds',
    'When the last backup finished; 0 if there is none.',
    (reports) => seconds(reports.get(BACKUP_NOTE)?.finishedAt),
  ],
]

/** Every node reports the same values, from the shared database; the last ones while it is unavailable. */
export function registerMaintenanceMetrics(registry: Registry, db: Db): void {
  const reports = sharedReading(() => taskReports(db))
  for (const [name, help, read] of METRICS)
    gauge(registry, name, help, async () => {
      const all = await reports()
      return all && read(all)
    })
}
