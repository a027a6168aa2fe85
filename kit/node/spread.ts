/** Work below this is done before another thread has started. */
const WORTH_A_THREAD_BYTES = 48 * 1024 * 1024
const RUN_BYTES = 8 * 1024 * 1024

export interface Run {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/** Cuts a list into runs of neighbours that are worth handing out, largest first, so that the last one to finish is short. */
export function cutIntoRuns(sizes: readonly number[]): readonly Run[] {
  const runs: Run[] = []
  let from = 0
  let bytes = 0
  for (const [index, size] of sizes.entries()) {
    bytes += size
    if (bytes < RUN_BYTES && index < sizes.length - 1) continue
    runs.push({ from, to: index + 1, bytes })
    from = index + 1
    bytes = 0
  }
  return runs.toSorted((a, b) => b.bytes - a.bytes)
}

/** Whether there is enough to hash for another thread to be of use. */
export function isLarge(bytes: number): boolean {
  return bytes >= WORTH_A_THREAD_BYTES
}

/** Whether the work is long enough for another thread to join in. */
export function isWorthThreads(runs: readonly Run[]): boolean {
  return runs.length > 1 && isLarge(runs.reduce((sum, { bytes }) => sum + bytes, 0))
}

/**
 * Takes runs until none is left, beside the other threads: which one is next is a counter that they share, so that no
 * thread waits for a message.
 */
export async function takeRuns<T>(
  runs: readonly Run[],
  shared: SharedArrayBuffer,
  work: (run: Run) => readonly T[] | Promise<readonly T[]>,
): Promise<readonly T[]> {
  const counter = new Int32Array(shared, 0, 1)
  const results: T[] = []
  for (;;) {
    const run = runs[Atomics.add(counter, 0, 1)]
    if (run === undefined) return results
    for (const result of await work(run)) results.push(result)
  }
}

/** Bytes done by all threads: the second half of the shared memory. */
export function progressCounter(shared: SharedArrayBuffer): { add(bytes: number): void; total(): number } {
  const counter = new BigInt64Array(shared, 8, 1)
  return {
    add: (bytes) => void Atomics.add(counter, 0, BigInt(bytes)),
    total: () => Number(Atomics.load(counter, 0)),
  }
}

export function sharedCounters(): SharedArrayBuffer {
  return new SharedArrayBuffer(16)
}
