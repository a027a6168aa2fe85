import { scanEntries, type EntryContent } from '../src/encoding/zip-content.ts'
import type { ZipEntry } from '../src/encoding/zip-directory.ts'
import { type FileSource, fileSource } from './file-source.ts'
import { type FileHash, hashFiles } from './hash-files.ts'
import { nodeHost } from './node-host.ts'
import type { Threads } from './threads.ts'
import { cutIntoRuns, isWorthThreads, progressCounter, type Run, sharedCounters, takeRuns } from './spread.ts'

/** What one thread is told. It can be cloned, so it holds data alone. */
export type MeasureTask = ZipTask | FolderTask

export interface ZipTask {
  readonly kind: 'zip'
  readonly path: string
  readonly entries: readonly ZipEntry[]
  readonly end: number
  readonly wanted: ReadonlySet<string>
  readonly vouchedCrc32: ReadonlyMap<string, number>
}

export interface FolderTask {
  readonly kind: 'folder'
  readonly path: string
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[]
}

export interface SharedTask {
  readonly task: MeasureTask
  readonly runs: readonly Run[]
  readonly shared: SharedArrayBuffer
}

export type Measured = EntryContent | FileHash

/** Measures on every core: this thread starts at once, the others join as they come up. */
export async function measureAll(
  task: MeasureTask,
  onProgress?: (bytes: number) => void,
  started?: Threads,
): Promise<readonly Measured[]> {
  const runs = runsOf(task)
  const shared = sharedCounters()
  if (!isWorthThreads(runs)) return measureRuns({ task, runs, shared }, onProgress)
  // Loaded only where it is needed: a small kit is verified faster than this module is found.
  using own = started === undefined ? (await import('./threads.ts')).startThreads() : undefined
  const others = (started ?? own)?.measure({ task, runs, shared }) ?? []
  const mine = await measureRuns({ task, runs, shared }, onProgress)
  const theirs = await Promise.all(others)
  return [...mine, ...theirs.flat()]
}

export async function measureRuns(
  { task, runs, shared }: SharedTask,
  onProgress?: (bytes: number) => void,
): Promise<readonly Measured[]> {
  const progress = progressCounter(shared)
  const done = (bytes: number): void => {
    progress.add(bytes)
    onProgress?.(progress.total())
  }
  if (task.kind === 'folder') {
    return takeRuns<Measured>(runs, shared, ({ from, to }) =>
      hashFiles(task.path, task.files.slice(from, to), done),
    )
  }
  using source = fileSource(task.path)
  return await takeRuns<Measured>(runs, shared, (run) => scanRun(source, task, run, done))
}

function runsOf(task: MeasureTask): readonly Run[] {
  return cutIntoRuns(
    task.kind === 'zip'
      ? task.entries.map(({ compressedBytes }) => compressedBytes)
      : task.files.map(({ sizeBytes }) => sizeBytes),
  )
}

function scanRun(
  source: FileSource,
  { entries, end, wanted, vouchedCrc32 }: ZipTask,
  { from, to }: Run,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<readonly EntryContent[]> {
  const order = {
    wanted: (name: string) => wanted.has(name),
    vouchedCrc32: (name: string) => vouchedCrc32.get(name),
    onProgress,
  }
  return scanEntries(source, entries.slice(from, to), entries[to]?.headerOffset ?? end, order, nodeHost)
}
