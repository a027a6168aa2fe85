/** Less than this is hashed before another thread has started. */
const LARGE_BYTES = 48 * 1024 * 1024
const BATCH_BYTES = 8 * 1024 * 1024

/** Neighbouring items of a list, from `from` up to `to`. */
export interface Batch {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/** Splits a list of sizes into batches, largest first, so that the last one to finish is short. */
export function splitIntoBatches(sizes: readonly number[]): readonly Batch[] {
  const batches: Batch[] = []
  let from = 0
  let bytes = 0
  for (const [index, size] of sizes.entries()) {
    bytes += size
    if (bytes < BATCH_BYTES && index < sizes.length - 1) continue
    batches.push({ from, to: index + 1, bytes })
    from = index + 1
    bytes = 0
  }
  return batches.toSorted((a, b) => b.bytes - a.bytes)
}

/** Whether there is enough to hash for more than one thread. */
export function isLarge(bytes: number): boolean {
  return bytes >= LARGE_BYTES
}

export function areWorthThreads(batches: readonly Batch[]): boolean {
  return batches.length > 1 && isLarge(batches.reduce((sum, { bytes }) => sum + bytes, 0))
}

/** Works on batches until none is left. Threads share the counter of the next batch, so none waits for a message. */
export async function takeBatches<T>(
  batches: readonly Batch[],
  shared: SharedArrayBuffer,
  work: (batch: Batch) => readonly T[] | Promise<readonly T[]>,
): Promise<readonly T[]> {
  const counter = new Int32Array(shared, 0, 1)
  const results: T[] = []
  for (;;) {
    const batch = batches[Atomics.add(counter, 0, 1)]
    if (batch === undefined) return results
    for (const result of await work(batch)) results.push(result)
  }
}

/** Bytes hashed by all threads, in the second half of the shared memory. */
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
