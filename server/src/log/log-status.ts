import { countOf } from '../database/questions.ts'
import { vkey } from '@kitseal/kit/internal'
import type { LogWitnessesTable } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import { cosignedLeaves, type Frozen, frozenOf } from './freeze-log.ts'
import { logNoteKey, readLog } from './log-key.ts'
import { highestOf, type LogHead, type LogMarks } from './high-water-mark.ts'
import { contradiction } from './mark-guard.ts'

/** The log and its high-water mark, for the operator. */
export interface LogStatus extends LogHead {
  readonly origin: string
  readonly vkey: string
  readonly updatedAt: string
  readonly waiting: number
  readonly frozen: Frozen | undefined
  /** How many leaves were signed, as far as the mark says, and the witness that froze the log. */
  readonly signedSize: number
  readonly mark: MarkStatus
  /** What each witness has cosigned, as far as this database knows. */
  readonly witnesses: readonly WitnessStatus[]
}

type WitnessStatus = Readonly<Pick<LogWitnessesTable, 'name' | 'size' | 'cosigned_at' | 'problem'>>

interface MarkStatus {
  readonly location: string
  /** The largest entry: undefined if there is none, two if they contradict each other. */
  readonly highest: readonly LogHead[]
  /** What keeps the log from being resumed. */
  readonly problem: MarkProblem | undefined
}

export interface MarkProblem {
  readonly is: 'missing' | 'ahead' | 'other_history'
  /** A clause without a full stop. */
  readonly text: string
}

export interface LogAndMarks {
  readonly db: Db
  readonly marks: LogMarks
}

/** Returns undefined if there is no log yet. */
export async function readLogStatus({ db, marks }: LogAndMarks): Promise<LogStatus | undefined> {
  const log = await readLog(db)
  if (log === undefined) return undefined
  const mark = await markStatus({ db, marks })
  const frozen = frozenOf(log)
  return {
    origin: log.origin,
    vkey: vkey(logNoteKey(log)),
    size: log.size,
    root: log.root,
    updatedAt: log.updated_at,
    waiting: await countWaiting(db),
    frozen,
    signedSize: Math.max(mark.highest[0]?.size ?? 0, frozen === undefined ? 0 : cosignedLeaves(frozen)),
    mark,
    witnesses: await readWitnesses(db),
  }
}

/** Leaves that are not in the tree yet. */
export const countWaiting = (db: Db): Promise<number> =>
  countOf(db.selectFrom('log_leaves').where('leaf_index', 'is', null))

export const readWitnesses = (db: Db): Promise<readonly WitnessStatus[]> =>
  db.selectFrom('log_witnesses').select(['name', 'size', 'cosigned_at', 'problem']).orderBy('name').execute()

async function markStatus({ db, marks }: LogAndMarks): Promise<MarkStatus> {
  const key = await readLog(db)
  if (key === undefined) return { location: '', highest: [], problem: undefined }
  const mark = await marks.of(key)
  const heads = await mark.read()
  // After the mark, as in mark-guard.ts.
  const log = (await readLog(db)) ?? key
  return {
    location: mark.location,
    highest: highestOf(heads),
    problem: await markProblem(db, log, heads),
  }
}

async function markProblem(
  db: Db,
  log: LogHead,
  heads: readonly LogHead[],
): Promise<MarkProblem | undefined> {
  if (heads.length === 0)
    return log.size === 0 ? undefined : { is: 'missing', text: 'the high-water mark is missing' }
  const text = await contradiction(db, log, heads)
  if (text === undefined) return undefined
  return { is: heads.some(({ size }) => size > log.size) ? 'ahead' : 'other_history', text }
}

interface ResumeOptions {
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
