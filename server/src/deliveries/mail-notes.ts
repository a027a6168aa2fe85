import type { Db } from '../database/schema.ts'
import { noteTask, readNote } from '../database/task-notes.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Outcome } from './deliveries.ts'

const SENT = 'mail sent'
const FAILED = 'mail failed'

/** What the mail server said last, for operators. */
export async function noteMail(db: Db, clock: Clock, outcome: Outcome): Promise<void> {
  if (outcome.is === 'sent') await noteTask(db, clock, SENT)
  else if (outcome.is !== 'again')
    await noteTask(db, clock, FAILED, { problem: outcome.problem, isRetried: outcome.is === 'retry' })
}

export interface LastMail {
  readonly sentAt: string | null
  readonly failedAt: string | null
  readonly problem: string | null
  /** The last mail failed in a way that may pass: the mail server may be unavailable. */
  readonly isFailing: boolean
}

export async function readMailNotes(db: Db): Promise<LastMail> {
  const sent = await readNote(db, SENT)
  const failed = await readNote<{ readonly problem: string; readonly isRetried: boolean }>(db, FAILED)
  return {
    sentAt: sent?.at ?? null,
    failedAt: failed?.at ?? null,
    problem: failed?.state.problem ?? null,
    isFailing: failed?.state.isRetried === true && failed.at > (sent?.at ?? ''),
  }
}
