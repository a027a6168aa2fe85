import { noteTask } from '../database/task-notes.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { TaskReport } from './task-progress.ts'

const NOTE = 'scrub_command'

/** Notes a complete scrub by `kitseal admin scrub`. */
export const noteScrub = (db: Db, clock: Clock, bad: number): Promise<void> =>
  noteTask(db, clock, NOTE, { foundLast: bad })

/** What all scrubs found: in the background, and by the command. What was found before the newest complete scrub is repaired, or found again. */
export function scrubReport(reports: ReadonlyMap<string, TaskReport>): {
  readonly finishedAt: string | null
  readonly bad: number
} {
  const { finishedAt, found = 0, foundLast = 0, foundAt } = reports.get('scrub') ?? { finishedAt: null }
  const command = reports.get(NOTE)
  const [own, other] = [finishedAt ?? '', command?.finishedAt ?? '']
  const ownBad = command === undefined || (foundAt ?? '') > other ? Math.max(found, foundLast) : 0
  const otherBad = own > other ? 0 : (command?.foundLast ?? 0)
  const newest = own > other ? own : other
  return { finishedAt: newest === '' ? null : newest, bad: Math.max(ownBad, otherBad) }
}
