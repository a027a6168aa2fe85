import { rootFromTiles } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Kysely } from 'kysely'
import type { Clock } from '../runtime/clock.ts'
import type { LogTable } from '../database/log-schema.ts'
import type { Database } from '../database/schema.ts'
import { reached } from '../runtime/steps.ts'
import { freezeLog, frozenOf, LogFrozen } from './freeze-log.ts'
import { EMPTY_ROOT, readLog } from './log-key.ts'
import { headLine, highestOf, type LogHead, type LogMark } from './log-mark.ts'
import { tileReader } from './log-tiles.ts'

/** The mark of a log, by its key. */
export interface LogMarks {
  of(log: Pick<LogTable, 'kid'>): Promise<LogMark>
  /** False if a node of the same log may have a mark of its own, so that a missing one says nothing. */
  readonly isOnlyMark: boolean
}

/** What keeps this log from growing: LogFrozen, or that the mark could not be read. */
export type FindProblem = (db: Kysely<Database>, log: Readonly<LogTable>) => Promise<Error | undefined>

/** Keeps the log from being rolled back: compares the database with what was signed, and freezes the log if they differ. */
export interface MarkGuard {
  /** Throws LogFrozen if the log is frozen, or has to be. */
  check(): Promise<void>
  /** Reads the mark, for a log that is read after it: whatever another node has recorded is committed by then. */
  begin(): Promise<FindProblem>
  /** Throws a problem. If the log has to be frozen, it is. */
  reject(problem: Error): Promise<never>
  /** Must succeed before a checkpoint of this size is signed. Throws LogFrozen. */
  record(head: LogHead): Promise<void>
  /** This process extended the log. */
  extended(from: LogHead, to: LogHead): void
}

export function markGuard(db: Kysely<Database>, marks: LogMarks, clock: Clock): MarkGuard {
  let mark: LogMark | undefined
  /** The database as this process saw it last. */
  let verified: LogHead | undefined
  /** Entries of the mark that were compared with the database. */
  let compared: readonly LogHead[] | undefined
  const remembered = (): readonly LogHead[] => (verified === undefined ? [] : [verified])

  async function openMark(): Promise<LogMark | undefined> {
    if (mark !== undefined) return mark
    const log = await readLog(db)
    return log && (mark = await marks.of(log))
  }

  const readMark = async (): Promise<readonly LogHead[]> => (await (await openMark())?.read()) ?? []

  async function begin(more: readonly LogHead[] = []): Promise<FindProblem> {
    const read = await readMark().catch((error: unknown) =>
      error instanceof Error ? error : new Error(`${error}`),
    )
    // Taken before the log is read, because this process may extend the log at the same time.
    const known = [...more, ...remembered()]
    return async (from, log) => (read instanceof Error ? read : problemOf(from, log, read, known))
  }

  async function problemOf(
    from: Kysely<Database>,
    log: Readonly<LogTable>,
    heads: readonly LogHead[],
    known: readonly LogHead[],
  ): Promise<LogFrozen | undefined> {
    const frozen = frozenOf(log)
    if (frozen !== undefined) return new LogFrozen(frozen.reason)
    const added = compared === undefined ? highestOf(heads) : addedTo(compared, heads)
    // Read again: another node may have recorded the first entry meanwhile.
    const isLost =
      log.marked === 1 && marks.isOnlyMark && heads.length === 0 && (await readMark()).length === 0
    const problem = isLost ? MARK_MISSING : await contradiction(from, log, [...added, ...known])
    if (problem !== undefined) return new LogFrozen(problem)
    verified = { size: log.size, root: log.root }
    compared = heads
    return undefined
  }

  async function reject(problem: Error): Promise<never> {
    if (problem instanceof LogFrozen) await freezeLog(db, problem.reason, clock)
    throw problem
  }

  async function compare(more: readonly LogHead[] = []): Promise<Readonly<LogTable> | undefined> {
    const findProblem = await begin(more)
    const log = await readLog(db)
    const problem = log && (await findProblem(db, log))
    return problem === undefined ? log : reject(problem)
  }

  /** A frozen log signs only what was recorded before, if nothing contradicts it. */
  async function isRecorded(head: LogHead): Promise<boolean> {
    const heads = await readMark()
    const known = remembered()
    const log = await readLog(db)
    if (log === undefined || !heads.some((each) => headLine(each) === headLine(head))) return false
    return (await contradiction(db, log, [...heads, ...known])) === undefined
  }

  return {
    check: async () => void (await compare()),
    begin,
    reject,
    async record(head) {
      try {
        // What this process has put into the log was compared in the same transaction.
        if (verified === undefined || headLine(verified) !== headLine(head)) await compare([head])
      } catch (error) {
        if (error instanceof LogFrozen && (await isRecorded(head))) return
        throw error
      }
      await mark?.record(head)
      // A copy of this database may have recorded another history at the same time.
      const log = await compare([head])
      if (log?.marked === 0) await db.updateTable('log').set({ marked: 1 }).execute()
      reached('mark recorded')
    },
    extended(from, to) {
      if (verified !== undefined && headLine(verified) === headLine(from)) verified = to
    },
  }
}

function addedTo(known: readonly LogHead[], heads: readonly LogHead[]): readonly LogHead[] {
  if (heads === known) return []
  const lines = new Set(known.map(headLine))
  return heads.filter((head) => !lines.has(headLine(head)))
}

export const MARK_MISSING = 'its high-water mark is missing'

/** Says how the database differs from what was signed. */
export async function contradiction(
  db: Kysely<Database>,
  log: LogHead,
  signed: readonly LogHead[],
): Promise<string | undefined> {
  const [highest] = highestOf(signed)
  if (highest !== undefined && highest.size > log.size) return behind(log.size, highest.size)
  for (const head of signed)
    if ((await rootAt(db, log, head.size)) !== head.root) return otherHistory(head.size)
  return undefined
}

const behind = (size: number, signed: number): string =>
  `the database has ${size} leaves of the log, but ${signed} were signed`
const otherHistory = (size: number): string =>
  `the database has other leaves than the ${size} that were signed`

async function rootAt(db: Kysely<Database>, log: LogHead, size: number): Promise<string> {
  return size === log.size ? log.root : computeRoot(db, size)
}

/** The root of the first leaves of the tree, from its tiles. */
export async function computeRoot(db: Kysely<Database>, size: number): Promise<string> {
  if (size === 0) return EMPTY_ROOT
  return Buffer.from(await rootFromTiles(size, tileReader(db), nodeHost.digest)).toString('base64')
}
