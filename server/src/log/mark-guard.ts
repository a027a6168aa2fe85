import { rootFromTiles } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Clock } from '../runtime/clock.ts'
import type { LogTable } from '../database/schema.ts'
import type { Db } from '../database/schema.ts'
import { reached } from '../runtime/steps.ts'
import { freezeLog, frozenOf, LogFrozen } from './freeze-log.ts'
import { EMPTY_ROOT, readLog } from './log-key.ts'
import { headLine, highestOf, type LogHead, type LogMark, type LogMarks } from './high-water-mark.ts'
import { tileReader } from './log-tiles.ts'

/** Keeps the log from being rolled back: compares the database with what was signed, and freezes the log if they differ. */
export function markGuard(db: Db, marks: LogMarks, clock: Clock) {
  let mark: LogMark | undefined
  /** The database as this process saw it last, and the entries of the mark that it was compared with. */
  let verified: LogHead | undefined
  let compared: ReadonlySet<string> = new Set()

  async function readMark(): Promise<readonly LogHead[]> {
    const log = mark === undefined ? await readLog(db) : undefined
    if (log !== undefined) mark = await marks.of(log)
    return (await mark?.read()) ?? []
  }

  async function compare(head?: Readonly<LogTable>): Promise<Readonly<LogTable> | undefined> {
    const heads = await readMark()
    const before = verified
    const added = heads.filter((each) => !compared.has(headLine(each)))
    const newest = Math.max(before?.size ?? 0, ...heads.map(({ size }) => size))
    // Read after the mark, unless nothing new is in it: whatever another node has recorded is committed by then.
    const isCurrent = head !== undefined && head.size >= newest && added.length === 0
    const log = isCurrent ? head : await readLog(db)
    if (log === undefined) return undefined
    const known = [...added, ...[head, before].filter((each) => each !== undefined)]
    const problem = (await isLost(log, heads)) ? MARK_MISSING : await contradiction(db, log, known)
    const frozen = frozenOf(log)?.reason
    // A frozen log signs only what was signed before, if nothing contradicts it.
    const isSigned = head !== undefined && heads.some((each) => headLine(each) === headLine(head))
    if (frozen !== undefined && !(isSigned && problem === undefined)) throw new LogFrozen(frozen)
    if (problem !== undefined) {
      await freezeLog(db, problem, clock)
      throw new LogFrozen(problem)
    }
    verified = log
    compared = new Set(heads.map(headLine))
    return log
  }

  /** Read again: another node may have recorded the first entry meanwhile. */
  const isLost = async (log: Readonly<LogTable>, heads: readonly LogHead[]): Promise<boolean> =>
    log.marked === 1 && marks.isOnlyMark && heads.length === 0 && (await readMark()).length === 0

  return {
    /** Throws LogFrozen if the log is frozen, or has to be. */
    check: async (): Promise<void> => void (await compare()),
    /** How many leaves were signed. A log that has fewer does not grow. */
    async signedSize(): Promise<number> {
      if (verified === undefined) await compare()
      return Math.max(verified?.size ?? 0, ...(await readMark()).map(({ size }) => size))
    },
    /** Must succeed before a checkpoint of this size is signed. Throws LogFrozen. */
    async record(head: Readonly<LogTable>): Promise<void> {
      const log = await compare(head)
      await mark?.record(head)
      compared = new Set([...compared, headLine(head)])
      // A copy of this database may have recorded another history at the same time.
      if ((await readMark()).some((each) => !compared.has(headLine(each)))) await compare(head)
      if (log?.marked === 0) await db.updateTable('log').set({ marked: 1 }).execute()
      reached('mark recorded')
    },
    /** This process extended the log. */
    extended(from: LogHead, to: LogHead): void {
      if (verified !== undefined && headLine(verified) === headLine(from)) verified = to
    },
  }
}

export const MARK_MISSING = 'its high-water mark is missing'

/** Says how the database differs from what was signed. */
export async function contradiction(
  db: Db,
  log: LogHead,
  signed: readonly LogHead[],
): Promise<string | undefined> {
  const [highest] = highestOf(signed)
  if (highest !== undefined && highest.size > log.size) return behind(log.size, highest.size)
  for (const head of signed)
    if ((await rootAt(db, log, head.size)) !== head.root) return otherHistory(head.size)
  return undefined
}

export const behind = (size: number, signed: number): string =>
  `the database has ${size} leaves of the log, but ${signed} were signed`
const otherHistory = (size: number): string =>
  `the database has other leaves than the ${size} that were signed`

async function rootAt(db: Db, log: LogHead, size: number): Promise<string> {
  return size === log.size ? log.root : computeRoot(db, size)
}

/** The root of the first leaves of the tree, from its tiles. */
export async function computeRoot(db: Db, size: number): Promise<string> {
  if (size === 0) return EMPTY_ROOT
  return Buffer.from(await rootFromTiles(size, tileReader(db), nodeHost.digest)).toString('base64')
}
