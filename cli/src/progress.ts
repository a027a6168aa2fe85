import { formatBytes } from '@kitseal/kit/internal'
import type { Progress } from '@kitseal/server'
import type { Terminal } from './terminal.ts'

const REDRAW_MS = 100
/** In a log, a line every half minute is enough. */
const LINE_EVERY_MS = 30_000
/** The rate is averaged over the last few seconds. */
const RATE_WINDOW_MS = 5000

type Clock = () => number
const clock: Clock = () => performance.now()

interface Transferred {
  readonly doneBytes: number
  readonly totalBytes: number | undefined
}

/** Progress, rate and remaining time of a transfer, on a terminal only. */
export function transferProgress(terminal: Terminal, verb: string, now = clock) {
  const { report, clear } = progressLine(terminal, now, Infinity, formatBytes)
  const of = (done: number, total: number | undefined): void => report({ step: verb, done, total })
  const at = ({ doneBytes, totalBytes }: Transferred): void => of(doneBytes, totalBytes)
  return { at, of, clear }
}

/** Count, rate and time left of a task, which logs show too. */
export const taskProgress = (terminal: Terminal, now = clock) =>
  progressLine(terminal, now, LINE_EVERY_MS, grouped)

/** One line on stderr that is redrawn on a terminal. Elsewhere there is a line every `elsewhereMs`. */
function progressLine(
  terminal: Terminal,
  now: Clock,
  elsewhereMs: number,
  format: (count: number) => string,
) {
  let samples: readonly { readonly time: number; readonly done: number }[] = []
  let shownAt: number | undefined
  let isDrawn = false
  let step = ''
  const rateAt = (time: number, done: number): number => {
    // A retry starts over.
    if (done < (samples.at(-1)?.done ?? 0)) samples = []
    const recent = samples.filter((sample) => sample.time > time - RATE_WINDOW_MS)
    samples = [...(recent.length > 0 ? recent : samples.slice(-1)), { time, done }]
    const [first] = samples
    return first === undefined || time === first.time ? 0 : ((done - first.done) / (time - first.time)) * 1000
  }
  return {
    report: (progress: Counted): void => {
      const { stderr } = terminal
      const isTerminal = stderr.isTTY === true
      const time = now()
      // Each step has its own rate.
      if (progress.step !== step) samples = [{ time, done: progress.done }]
      ;({ step } = progress)
      // A log has no line for what is short.
      shownAt ??= isTerminal ? Number.NEGATIVE_INFINITY : time
      if (time - shownAt < (isTerminal ? REDRAW_MS : elsewhereMs)) return
      shownAt = time
      const line = progressText(progress, rateAt(time, progress.done), format)
      stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`)
      isDrawn = isTerminal
    },
    clear: (): void => {
      if (isDrawn) terminal.stderr.write('\r\u001b[K')
      isDrawn = false
    },
  }
}

type Counted = Pick<Progress, 'step' | 'done' | 'share' | 'bytes'> & { readonly total?: number | undefined }

function progressText(
  { step, done, total, share, bytes = 0 }: Counted,
  rate: number,
  format: (count: number) => string,
): string {
  const part = total === undefined || total === 0 ? share : done / total
  const left = part === undefined || part === 0 ? undefined : Math.max(0, done / part - done)
  return [
    `${step}${part === undefined ? '' : ` ${percent(part)} %`}  ${format(done)}${total === undefined ? '' : ` of ${format(total)}`}`,
    ...(bytes === 0 ? [] : [formatBytes(bytes)]),
    ...(rate <= 0 ? [] : [`${format(Math.max(1, Math.round(rate)))}/s`]),
    ...(rate <= 0 || left === undefined ? [] : [`${durationText(left / rate)} left`]),
  ].join(', ')
}

const percent = (part: number): number => Math.min(100, Math.floor(part * 100))

/** 12,345 */
const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** `42 s`, `3 min 5 s`, `2 h 10 min`. */
function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

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
