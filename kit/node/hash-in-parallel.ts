import { areWorthThreads, sharedCounters, splitIntoBatches } from './batches.ts'
import { hashBatches } from './hash-batches.ts'
import type { Hashed, HashTask } from './hash-task.ts'
import type { HashThreads } from './hash-threads.ts'

/** Hashes on all cores: this thread starts at once, the others join as they come up. */
export async function hashInParallel(
  task: HashTask,
  onProgress?: (bytes: number) => void,
  started?: HashThreads,
): Promise<readonly Hashed[]> {
  const batches = splitIntoBatches(
    task.kind === 'zip'
      ? task.entries.map(({ compressedBytes }) => compressedBytes)
      : task.files.map(({ sizeBytes }) => sizeBytes),
  )
  const shared = sharedCounters()
  if (!areWorthThreads(batches)) return hashBatches({ task, batches, shared }, onProgress)
  // Loaded only when needed: importing it takes longer than verifying a small kit.
  using own = started === undefined ? (await import('./hash-threads.ts')).startThreads() : undefined
  const others = (started ?? own)?.hash({ task, batches, shared }) ?? []
  const mine = await hashBatches({ task, batches, shared }, onProgress)
  const theirs = await Promise.all(others)
  return [...mine, ...theirs.flat()]
}
