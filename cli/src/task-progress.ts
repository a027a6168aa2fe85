import { formatBytes } from '@kitseal/kit'
import type { Progress } from '@kitseal/server'
import { durationText } from './transfer-progress.ts'
import type { Terminal } from './terminal.ts'

const REDRAW_MS = 100
/** In a log, a line every half minute is enough. */
const LINE_EVERY_MS = 30_000
/** The rate is averaged over the last few seconds. */
const RATE_WINDOW_MS = 10_000

export interface TaskProgress {
  readonly report: (progress: Progress) => void
  clear(): void
}

/** Count, rate and time left of a task, on stderr: one line that is redrawn on a terminal, or else a line now and then. */
export function taskProgress(
  { stderr }: Terminal,
  now: () => number = () => performance.now(),
): TaskProgress {
  const isTerminal = stderr.isTTY === true
  let samples: readonly Sample[] = []
  let step = ''
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : now()
  let isDrawn = false

  return {
    report: (progress) => {
      const time = now()
      if (progress.step !== step) {
        step = progress.step
        samples = [{ time, done: progress.done }]
      }
      if (time - shownAt < (isTerminal ? REDRAW_MS : LINE_EVERY_MS)) return
      shownAt = time
      samples = [...recent(samples, time), { time, done: progress.done }]
      const text = progressText(progress, samples)
      stderr.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`)
      isDrawn = isTerminal
    },
    clear: () => {
      if (isDrawn) stderr.write('\r\u001b[K')
      isDrawn = false
    },
  }
}

interface Sample {
  readonly time: number
  readonly done: number
}

/** Those within the window, or the last one if they are rare. */
function recent(samples: readonly Sample[], time: number): readonly Sample[] {
  const within = samples.filter((sample) => sample.time > time - RATE_WINDOW_MS)
  return within.length > 0 ? within : samples.slice(-1)
}

function progressText({ step, done, total, share, bytes }: Progress, samples: readonly Sample[]): string {
  const rate = rateOf(samples)
  const part = total === undefined ? share : total === 0 ? 1 : done / total
  const left = part === undefined || part === 0 ? undefined : Math.max(0, done / part - done)
  return [
    `${step}: ${grouped(done)}${total === undefined ? '' : ` of ${grouped(total)}`}${percent(part)}`,
    ...(bytes === undefined || bytes === 0 ? [] : [formatBytes(bytes)]),
    ...(rate === 0 ? [] : [`${grouped(Math.max(1, Math.round(rate)))} per second`]),
    ...(rate === 0 || left === undefined ? [] : [`${durationText(left / rate)} left`]),
  ].join(', ')
}

function rateOf(samples: readonly Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || last.time === first.time) return 0
  return ((last.done - first.done) / (last.time - first.time)) * 1000
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
