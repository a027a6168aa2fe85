import { scanEntries, type EntryContent } from '../src/encoding/zip-content.ts'
import type { ZipEntry } from '../src/encoding/zip-directory.ts'
import { fileSource } from './file-source.ts'
import { type FileHash, hashFiles } from './hash-files.ts'
import { nodeHost } from './node-host.ts'
import type { Threads } from './threads.ts'
import { cutIntoRuns, isWorthThreads, progressCounter, type Run, sharedCounters, takeRuns } from './spread.ts'

/** What one thread is told. It can be cloned, so it holds data alone. */
export type MeasureTask =
  | {
      readonly kind: 'zip'
      readonly path: string
      readonly entries: readonly ZipEntry[]
      readonly end: number
      readonly wanted: ReadonlySet<string>
      readonly vouchedCrc32: ReadonlyMap<string, number>
    }
  | {
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
  const sizes =
    task.kind === 'zip'
      ? task.entries.map((entry) => entry.compressedBytes)
      : task.files.map((file) => file.sizeBytes)
  const runs = cutIntoRuns(sizes)
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
  const order = {
    wanted: (name: string) => task.wanted.has(name),
    vouchedCrc32: (name: string) => task.vouchedCrc32.get(name),
    onProgress: done,
  }
  return await takeRuns<Measured>(runs, shared, ({ from, to }) => {
    const end = task.entries[to]?.headerOffset ?? task.end
    return scanEntries(source, task.entries.slice(from, to), end, order, nodeHost)
  })
}
