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

/** One line on stderr that is redrawn on a terminal. Elsewhere there is a line every `elsewhereMs`. */
function progressLine(terminal: Terminal, now: Clock, elsewhereMs: number) {
  let samples: readonly { readonly time: number; readonly done: number }[] = []
  let shownAt: number | undefined
  let isDrawn = false
  const rateAt = (time: number, done: number): number => {
    // A retry starts over.
    if (done < (samples.at(-1)?.done ?? 0)) samples = []
    const recent = samples.filter((sample) => sample.time > time - RATE_WINDOW_MS)
    samples = [...(recent.length > 0 ? recent : samples.slice(-1)), { time, done }]
    const [first] = samples
    return first === undefined || time === first.time ? 0 : ((done - first.done) / (time - first.time)) * 1000
  }
  return {
    /** The rate is that of what is counted from here. */
    start: (done: number): void => void (samples = [{ time: now(), done }]),
    show: (done: number, text: (ratePerSecond: number) => string): void => {
      const { stderr } = terminal
      const isTerminal = stderr.isTTY === true
      const time = now()
      // A log has no line for what is short.
      shownAt ??= isTerminal ? Number.NEGATIVE_INFINITY : time
      if (time - shownAt < (isTerminal ? REDRAW_MS : elsewhereMs)) return
      shownAt = time
      const line = text(rateAt(time, done))
      stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`)
      isDrawn = isTerminal
    },
    clear: (): void => {
      if (isDrawn) terminal.stderr.write('\r\u001b[K')
      isDrawn = false
    },
  }
}

interface Transferred {
  readonly doneBytes: number
  readonly totalBytes: number | undefined
}

export interface TransferProgress {
  readonly at: (progress: Transferred) => void
  readonly of: (doneBytes: number, totalBytes: number) => void
  readonly clear: () => void
}

/** Progress, rate and remaining time of a transfer, on a terminal only. */
export function transferProgress(terminal: Terminal, verb: string, now = clock): TransferProgress {
  const line = progressLine(terminal, now, Infinity)
  const at = (progress: Transferred): void =>
    line.show(progress.doneBytes, (rate) => transferText(verb, progress, rate))
  return { at, of: (doneBytes, totalBytes) => at({ doneBytes, totalBytes }), clear: line.clear }
}

function transferText(verb: string, { doneBytes, totalBytes }: Transferred, rate: number): string {
  const done = formatBytes(doneBytes)
  const speed = rate > 0 ? `, ${formatBytes(Math.round(rate))}/s` : ''
  if (totalBytes === undefined) return `${verb}  ${done}${speed}`
  const share = totalBytes === 0 ? '' : ` ${percent(doneBytes / totalBytes)} %`
  const left = rate > 0 ? `, ${durationText((totalBytes - doneBytes) / rate)} left` : ''
  return `${verb}${share}  ${done} of ${formatBytes(totalBytes)}${speed}${left}`
}

/** Count, rate and time left of a task, which logs show too. */
export function taskProgress(terminal: Terminal, now = clock) {
  const line = progressLine(terminal, now, LINE_EVERY_MS)
  let step = ''
  const report = (progress: Progress): void => {
    if (progress.step !== step) line.start(progress.done)
    ;({ step } = progress)
    line.show(progress.done, (rate) => taskText(progress, rate))
  }
  return { report, clear: line.clear }
}

function taskText({ step, done, total, share, bytes }: Progress, rate: number): string {
  const part = total === undefined ? share : total === 0 ? 1 : done / total
  const left = part === undefined || part === 0 ? undefined : Math.max(0, done / part - done)
  const counted = total === undefined ? grouped(done) : `${grouped(done)} of ${grouped(total)}`
  return [
    `${step}: ${counted}${part === undefined ? '' : ` (${percent(part)} %)`}`,
    ...(bytes === undefined || bytes === 0 ? [] : [formatBytes(bytes)]),
    ...(rate === 0 ? [] : [`${grouped(Math.max(1, Math.round(rate)))} per second`]),
    ...(rate === 0 || left === undefined ? [] : [`${durationText(left / rate)} left`]),
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
