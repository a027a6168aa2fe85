import { isUnavailable } from './unavailable.ts'

/**
 * Handles a batch together. If that fails, each part is handled alone, so that none holds up the others. Returns the errors of those
 * that failed. While the database is unavailable, all fail.
 */
export async function togetherOrAlone<T>(
  batch: readonly T[],
  handle: (part: readonly T[], isAlone: boolean) => Promise<void>,
): Promise<ReadonlyMap<T, unknown>> {
  const failed = new Map<T, unknown>()
  if (batch.length === 0) return failed
  try {
    await handle(batch, false)
  } catch (error) {
    if (isUnavailable(error)) return new Map(batch.map((each) => [each, error]))
    for (const each of batch) await handle([each], true).catch((alone: unknown) => failed.set(each, alone))
  }
  return failed
}

interface Waiting<T> {
  readonly item: T
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Handles what is waiting when the batch before has ended. `handle` returns the errors of those that failed. */
export function inBatches<T>(
  most: number,
  handle: (batch: readonly T[]) => Promise<ReadonlyMap<T, unknown>>,
  gather: () => Promise<unknown> | undefined,
): (item: T) => Promise<void> {
  const waiting: Waiting<T>[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      await gather()
      const batch = waiting.splice(0, most)
      const failed = await handle(batch.map(({ item }) => item))
      for (const { item, resolve, reject } of batch)
        if (failed.has(item)) reject(failed.get(item))
        else resolve()
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isRunning) void run()
    })
}
