import { readLog } from './log-key.ts'
import type { LogHead } from './log-mark.ts'
import { type LogAndMarks, type LogStatus, type MarkProblem, readLogStatus } from './log-status.ts'

export interface ResumeOptions {
  /** The operator asserts that nothing newer than this database was ever signed. Counts only if there is no mark. */
  readonly nothingNewerWasSigned?: boolean
  /** Asks the witnesses before the log continues; returns what those say that know more than the database. */
  readonly askWitnesses?: () => Promise<readonly string[]>
}

export type Resumed =
  | { readonly is: 'no_log' }
  | { readonly is: 'not_frozen'; readonly status: LogStatus }
  | { readonly is: 'resumed'; readonly status: LogStatus }
  | { readonly is: 'refused'; readonly status: LogStatus; readonly problem: MarkProblem }
  | { readonly is: 'behind_witness'; readonly status: LogStatus; readonly problems: readonly string[] }

/** Unfreezes a log that has everything in the mark. The service asks the witnesses again before the log grows. */
export async function resumeLog(store: LogAndMarks, options: ResumeOptions = {}): Promise<Resumed> {
  const status = await readLogStatus(store)
  if (status === undefined) return { is: 'no_log' }
  if (status.frozen === undefined) return { is: 'not_frozen', status }
  const { problem } = status.mark
  const isAsserted = problem?.is === 'missing' && options.nothingNewerWasSigned === true
  if (problem !== undefined && !isAsserted) return { is: 'refused', status, problem }
  // What the witnesses are asked about is signed, so it is recorded first, as before every signature.
  await recordHead(store, status)
  const problems = (await options.askWitnesses?.()) ?? []
  if (problems.length > 0) return { is: 'behind_witness', status, problems }
  const { numUpdatedRows } = await store.db
    .updateTable('log')
    .set({ frozen_at: null, frozen_reason: null, ...(isAsserted ? { marked: 1 } : {}) })
    // Unless it was frozen again for another reason meanwhile.
    .where('frozen_at', '=', status.frozen.at)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? { is: 'resumed', status } : resumeLog(store, options)
}

async function recordHead({ db, marks }: LogAndMarks, { size, root }: LogHead): Promise<void> {
  const log = await readLog(db)
  if (log !== undefined) await (await marks.of(log)).record({ size, root })
}
