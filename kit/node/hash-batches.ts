import { type EntryContent, scanEntries } from '../src/encoding/zip-content.ts'
import { type Batch, progressCounter, takeBatches } from './batches.ts'
import { type FileSource, fileSource } from './file-source.ts'
import { hashFiles } from './hash-files.ts'
import type { Hashed, SharedTask, ZipTask } from './hash-task.ts'
import { nodeHost } from './node-host.ts'

/** Hashes batches of a shared task until none is left. Runs in every thread. */
export async function hashBatches(
  { task, batches, shared }: SharedTask,
  onProgress?: (bytes: number) => void,
): Promise<readonly Hashed[]> {
  const progress = progressCounter(shared)
  const done = (bytes: number): void => {
    progress.add(bytes)
    onProgress?.(progress.total())
  }
  if (task.kind === 'files') {
    return takeBatches<Hashed>(batches, shared, ({ from, to }) =>
      hashFiles(task.files.slice(from, to), task.withCrc32, done),
    )
  }
  using source = fileSource(task.path)
  return await takeBatches<Hashed>(batches, shared, (batch) => hashEntries(source, task, batch, done))
}

function hashEntries(
  source: FileSource,
  { entries, end, wanted, trustedCrc32 }: ZipTask,
  { from, to }: Batch,
  onProgress: (bytes: number) => void,
): Promise<readonly EntryContent[]> {
  const request = {
    wanted: (name: string) => wanted.has(name),
    trustedCrc32: (name: string) => trustedCrc32.get(name),
    onProgress,
  }
  return scanEntries(source, entries.slice(from, to), entries[to]?.headerOffset ?? end, request, nodeHost)
}
