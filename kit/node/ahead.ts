import type { ChildProcess } from 'node:child_process'
import { CRC_REPORT_PATH, isReportedCrc } from '../src/crc-report.ts'
import type { EntryContent } from '../src/encoding/zip-content.ts'
import type { ZipEntry } from '../src/encoding/zip-directory.ts'
import type { FileSource } from './file-source.ts'
import { Ledger, type RunHashes } from './ledger.ts'
import { runsOf, scanRun, type ZipTask } from './measure.ts'

/** Processes that hash an archive while the program that will judge it is still being loaded (measure-ahead.ts). */
export interface Ahead {
  readonly path: string
  /** Which file was found there, in the words of fileIdentity(). */
  readonly identity: string
  /** A ledger, open for reading and appending. */
  readonly ledger: number
  readonly processes: readonly ChildProcess[]
}

/**
 * Measures beside processes that are at it already. They do not know what is wanted, nor what is vouched for: what they
 * found counts where this process would have found the same, and anything else is measured here.
 */
export async function measureBeside(
  source: FileSource,
  task: ZipTask,
  { ledger: file, processes }: Ahead,
  onProgress?: (bytes: number) => void,
): Promise<readonly EntryContent[]> {
  const runs = runsOf(task)
  const ledger = new Ledger(file, 0)
  const found = new Map<number, readonly EntryContent[]>()
  let bytes = 0
  const measure = async (run: number): Promise<void> => {
    // As of now, not at each entry: with thousands of them, looking would take longer than hashing.
    const others = [...ledger.reported().keys()].reduce((sum, other) => sum + (runs[other]?.bytes ?? 0), 0)
    const contents = await scanRun(source, task, runs[run]!, (more) => onProgress?.((bytes += more) + others))
    found.set(run, contents)
  }
  for (let run = ledger.claim(runs.length); run !== undefined; run = ledger.claim(runs.length)) {
    await measure(run)
  }
  const reported = await settled(ledger, processes, runs.length - found.size)
  const isTaken = takenAtItsWord(task.entries)
  for (const [run, { from, to }] of runs.entries()) {
    if (found.has(run)) continue
    const contents = accepted(task, isTaken, task.entries.slice(from, to), reported.get(run) ?? null)
    if (contents === undefined) await measure(run)
    else found.set(run, contents)
  }
  return [...found.values()].flat()
}

/** Waits until the others have reported the runs that they took, or are gone. */
async function settled(
  ledger: Ledger,
  processes: readonly ChildProcess[],
  runs: number,
): Promise<ReadonlyMap<number, RunHashes>> {
  for (;;) {
    // Asked before the ledger is read: who is gone has written all that it will.
    const areGone = processes.every(isGone)
    const reported = ledger.reported()
    if (areGone || ledger.hasFailed || reported.size >= runs) return reported
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

const isGone = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

/** What another process found of a run, where this one would have found the same; undefined where it has to look itself. */
function accepted(
  { wanted, vouchedCrc32 }: ZipTask,
  isTaken: (entry: ZipEntry) => boolean,
  entries: readonly ZipEntry[],
  hashes: RunHashes,
): readonly EntryContent[] | undefined {
  if (hashes === null) return undefined
  const contents: EntryContent[] = []
  for (const [index, entry] of entries.entries()) {
    const { name, isFolder, crc32 } = entry
    const sha256 = hashes[index]
    const vouched = vouchedCrc32.get(name)
    const crcHolds = vouched === undefined ? !isTaken(entry) : vouched === crc32
    if (isFolder) contents.push({ name })
    else if (typeof sha256 === 'string' && wanted.has(name) && crcHolds) contents.push({ name, sha256 })
    else return undefined
  }
  return contents
}

/**
 * Whether an entry's CRC-32 is not computed ahead, because the archive brings a report that may vouch for it. The one who
 * judges holds it against the report.
 */
export function takenAtItsWord(entries: readonly ZipEntry[]): (entry: ZipEntry) => boolean {
  const hasReport = entries.some(({ name }) => name.endsWith(`/${CRC_REPORT_PATH}`))
  return ({ sizeBytes }) => hasReport && isReportedCrc(sizeBytes)
}
