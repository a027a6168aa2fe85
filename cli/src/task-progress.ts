import { formatBytes } from '@kitseal/kit/internal'
import type { Progress } from '@kitseal/server'
import { rateMeter } from './rate-meter.ts'
import { durationText } from './transfer-progress.ts'
import type { Terminal } from './terminal.ts'

const REDRAW_MS = 100
/** In a log, a line every half minute is enough. */
const LINE_EVERY_MS = 30_000
/** The rate is averaged over the last few seconds. */
const RATE_WINDOW_MS = 10_000

/** Count, rate and time left of a task, on stderr: one line that is redrawn on a terminal, or else a line now and then. */
export function taskProgress({ stderr }: Terminal, now: () => number = () => performance.now()) {
  const isTerminal = stderr.isTTY === true
  const meter = rateMeter(RATE_WINDOW_MS)
  let step = ''
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : now()
  let isDrawn = false

  return {
    report: (progress: Progress): void => {
      const time = now()
      if (progress.step !== step) {
        step = progress.step
        meter.start(time, progress.done)
      }
      if (time - shownAt < (isTerminal ? REDRAW_MS : LINE_EVERY_MS)) return
      shownAt = time
      const text = progressText(progress, meter.rate(time, progress.done))
      stderr.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`)
      isDrawn = isTerminal
    },
    clear: (): void => {
      if (isDrawn) stderr.write('\r\u001b[K')
      isDrawn = false
    },
  }
}

function progressText({ step, done, total, share, bytes }: Progress, rate: number): string {
  const part = total === undefined ? share : total === 0 ? 1 : done / total
  const left = part === undefined || part === 0 ? undefined : Math.max(0, done / part - done)
  return [
    `${step}: ${grouped(done)}${total === undefined ? '' : ` of ${grouped(total)}`}${percent(part)}`,
    ...(bytes === undefined || bytes === 0 ? [] : [formatBytes(bytes)]),
    ...(rate === 0 ? [] : [`${grouped(Math.max(1, Math.round(rate)))} per second`]),
    ...(rate === 0 || left === undefined ? [] : [`${durationText(left / rate)} left`]),
  ].join(', ')
}

const percent = (part: number | undefined): string =>
  part === undefined ? '' : ` (${Math.min(100, Math.floor(part * 100))} %)`

/** 12,345 */
const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** Returns the seconds since it was called, to a tenth. */
export function stopwatch(): () => number {
  const startedAt = performance.now()
  return () => Math.round((performance.now() - startedAt) / 100) / 10
}

/** A long task ends with how long it took. */
const LONG_SECONDS = 5

export function tookLines(seconds: number, count: number, noun: string): readonly string[] {
  if (seconds < LONG_SECONDS) return []
  return [`Took ${durationText(seconds)}, ${grouped(Math.round(count / seconds))} ${noun}s per second.`]
}
