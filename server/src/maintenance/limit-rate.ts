import { setTimeout as pause } from 'node:timers/promises'

export interface RateOptions {
  readonly bytesPerSecond: number
  readonly elapsedMs?: () => number
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

const MIN_WAIT_MS = 50

/** Limits the average rate. Unused time counts for a second at most, so there are no long bursts. */
export function limitRate({
  bytesPerSecond,
  elapsedMs = () => performance.now(),
  wait = (milliseconds) => pause(milliseconds),
}: RateOptions): (bytes: number) => Promise<void> {
  let freeAt = elapsedMs()
  return async (bytes) => {
    freeAt = Math.max(freeAt, elapsedMs() - 1000) + (bytes / bytesPerSecond) * 1000
    const early = freeAt - elapsedMs()
    if (early >= MIN_WAIT_MS) await wait(early)
  }
}

/** Waits in short steps, so that a shutdown does not wait for it. */
export function stoppableRateLimit(
  bytesPerSecond: number,
  isStopping: () => boolean,
): (bytes: number) => Promise<void> {
  const wait = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0 && !isStopping(); left -= 100)
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, 100)))
  }
  return limitRate({ bytesPerSecond, wait })
}
