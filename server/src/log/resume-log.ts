import { readLog } from './log-key.ts'
import type { LogHead } from './log-mark.ts'
import { type LogAndMarks, type LogStatus, type MarkProblem, readLogStatus } from './log-status.ts'
import { contradiction } from './mark-guard.ts'

export interface ResumeOptions {
  /** The operator asserts that nothing newer than this database was ever signed. Counts only if there is no mark. */
  readonly nothingNewerWasSigned?: boolean
  /** What others, such as witnesses, have seen of this log. */
  readonly seen?: readonly SeenHead[]
}

export interface SeenHead extends LogHead {
  /** Such as "the witness NAME". */
  readonly by: string
}

export type Resumed =
  | { readonly is: 'no_log' }
  | { readonly is: 'not_frozen'; readonly status: LogStatus }
  | { readonly is: 'resumed'; readonly status: LogStatus }
  | { readonly is: 'refused'; readonly status: LogStatus; readonly problem: MarkProblem }

/** Unfreezes a log that has everything that was signed. */
export async function resumeLog(store: LogAndMarks, options: ResumeOptions = {}): Promise<Resumed> {
  const status = await readLogStatus(store)
  if (status === undefined) return { is: 'no_log' }
  if (status.frozen === undefined) return { is: 'not_frozen', status }
  const { problem } = status.mark
  const isAsserted = problem?.is === 'missing' && options.nothingNewerWasSigned === true
  if (problem !== undefined && !isAsserted) return { is: 'refused', status, problem }
  const contradicted = await seenProblem(store, status, options.seen ?? [])
  if (contradicted !== undefined) return { is: 'refused', status, problem: contradicted }
  if (isAsserted) await recordHead(store, status)
  const { numUpdatedRows } = await store.db
    .updateTable('log')
    .set({ frozen_at: null, frozen_reason: null, ...(isAsserted ? { marked: 1 } : {}) })
    // Unless it was frozen again for another reason meanwhile.
    .where('frozen_at', '=', status.frozen.at)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? { is: 'resumed', status } : resumeLog(store, options)
}

async function seenProblem(
  { db }: LogAndMarks,
  status: LogStatus,
  seen: readonly SeenHead[],
): Promise<MarkProblem | undefined> {
  for (const head of seen) {
    const text = await contradiction(db, status, [head])
    if (text !== undefined)
      return {
        is: head.size > status.size ? 'ahead' : 'other_history',
        text: `${text}: ${head.by} has seen them`,
      }
  }
  return undefined
}

async function recordHead({ db, marks }: LogAndMarks, { size, root }: LogHead): Promise<void> {
  const log = await readLog(db)
  if (log !== undefined) await (await marks.of(log)).record({ size, root })
}
