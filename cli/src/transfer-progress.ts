import { formatBytes } from '@kitseal/kit'
import type { Terminal } from './terminal.ts'

const REDRAW_MS = 100
/** The rate is averaged over the last few seconds. */
const RATE_WINDOW_MS = 5000

export interface TransferProgress {
  readonly at: (progress: { readonly doneBytes: number; readonly totalBytes: number | undefined }) => void
  readonly clear: () => void
}

/** Progress, rate and remaining time of a transfer, on stderr, on a terminal. */
export function transferProgress(
  { stderr }: Terminal,
  verb: string,
  now: () => number = () => performance.now(),
): TransferProgress {
  let drawnAt = Number.NEGATIVE_INFINITY
  let samples: readonly Sample[] = []
  return {
    at: ({ doneBytes, totalBytes }) => {
      if (stderr.isTTY !== true) return
      const time = now()
      // A retry starts over.
      if (doneBytes < (samples.at(-1)?.doneBytes ?? 0)) samples = []
      if (time - drawnAt < REDRAW_MS) return
      samples = [...samples.filter((sample) => sample.time > time - RATE_WINDOW_MS), { time, doneBytes }]
      drawnAt = time
      stderr.write(`\r\u001b[K${progressText(verb, doneBytes, totalBytes, samples)}`)
    },
    clear: () => {
      if (drawnAt > Number.NEGATIVE_INFINITY) stderr.write('\r\u001b[K')
      drawnAt = Number.NEGATIVE_INFINITY
    },
  }
}

interface Sample {
  readonly time: number
  readonly doneBytes: number
}

function progressText(
  verb: string,
  doneBytes: number,
  totalBytes: number | undefined,
  samples: readonly Sample[],
): string {
  const [first] = samples
  const last = samples.at(-1)
  const elapsedMs = first === undefined || last === undefined ? 0 : last.time - first.time
  const rate = elapsedMs === 0 ? 0 : ((last?.doneBytes ?? 0) - (first?.doneBytes ?? 0)) / (elapsedMs / 1000)
  const share = totalBytes === undefined || totalBytes === 0 ? '' : ` ${percent(doneBytes, totalBytes)} %`
  const of =
    totalBytes === undefined
      ? formatBytes(doneBytes)
      : `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`
  const speed = rate > 0 ? `, ${formatBytes(Math.round(rate))}/s` : ''
  const left =
    rate > 0 && totalBytes !== undefined ? `, ${durationText((totalBytes - doneBytes) / rate)} left` : ''
  return `${verb}${share}  ${of}${speed}${left}`
}

const percent = (done: number, total: number): number => Math.min(100, Math.floor((done / total) * 100))

/** `42 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
