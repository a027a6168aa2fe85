import { setTimeout as pause } from 'node:timers/promises'

export interface PaceOptions {
  readonly bytesPerSecond: number
  readonly elapsedMs?: () => number
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

const WAIT_AT_LEAST_MS = 50

/** Lets so many bytes pass in a second, on average; what a pause saved up can't be spent in a burst. */
export function pace({
  bytesPerSecond,
  elapsedMs = () => performance.now(),
  wait = (milliseconds) => pause(milliseconds),
}: PaceOptions): (bytes: number) => Promise<void> {
  let freeAt = elapsedMs()
  return async (bytes) => {
    freeAt = Math.max(freeAt, elapsedMs() - 1000) + (bytes / bytesPerSecond) * 1000
    const early = freeAt - elapsedMs()
    if (early >= WAIT_AT_LEAST_MS) await wait(early)
  }
}
