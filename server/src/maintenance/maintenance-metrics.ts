import type { Kysely } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/schema.ts'
import { type Task, type TaskReport, taskReports } from './task-leases.ts'

const METRICS: readonly (readonly [
  name: string,
  help: string,
  task: Task,
  read: (report: TaskReport) => number,
])[] = [
  ['kitseal_scrub_objects_total', 'Objects read and hashed again.', 'scrub', ({ total = 0 }) => total],
  [
    'kitseal_scrub_bad_objects',
    'Missing or damaged objects found by the last complete scrub or the current one.',
    'scrub',
    ({ found = 0, foundLast = 0 }) => Math.max(found, foundLast),
  ],
  ['kitseal_scrub_last_finished_seconds', 'When the last complete scrub finished.', 'scrub', finishedAt],
  [
    'kitseal_orphans_removed_total',
    'Objects deleted because no record refers to them.',
    'orphans',
    ({ total = 0 }) => total,
  ],
  ['kitseal_orphans_last_swept_seconds', 'When orphans were last swept.', 'orphans', finishedAt],
  [
    'kitseal_kits_expired_total',
    'Kits that expired at the end of their retention.',
    'retention',
    ({ total = 0 }) => total,
  ],
]

/** Every node reports the same values, from the shared database; the last ones while it is unavailable. */
export function registerMaintenanceMetrics(registry: Registry, db: Kysely<Database>): void {
  let reading: Promise<ReadonlyMap<Task, TaskReport> | undefined> | undefined
  const reports = (): Promise<ReadonlyMap<Task, TaskReport> | undefined> => {
    reading ??= taskReports(db)
      .catch(() => undefined)
      .finally(() => setImmediate(() => (reading = undefined)))
    return reading
  }
  for (const [name, help, task, read] of METRICS) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: async (): Promise<void> => {
        const all = await reports()
        if (all === undefined) return
        const report = all.get(task)
        gauge.set(report === undefined ? 0 : read(report))
      },
    })
  }
}

function finishedAt({ finishedAt: at }: TaskReport): number {
  return at === null ? 0 : Date.parse(at) / 1000
}
