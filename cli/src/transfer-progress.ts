import { formatBytes } from '@kitseal/kit/internal'
import { rateMeter } from './rate-meter.ts'
import type { Terminal } from './terminal.ts'

const REDRAW_MS = 100
/** The rate is averaged over the last few seconds. */
const RATE_WINDOW_MS = 5000

export interface TransferProgress {
  readonly at: (progress: { readonly doneBytes: number; readonly totalBytes: number | undefined }) => void
  readonly of: (doneBytes: number, totalBytes: number) => void
  readonly clear: () => void
}

/** Progress, rate and remaining time of a transfer, on stderr, on a terminal. */
export function transferProgress(
  { stderr }: Terminal,
  verb: string,
  now: () => number = () => performance.now(),
): TransferProgress {
  let drawnAt = Number.NEGATIVE_INFINITY
  const meter = rateMeter(RATE_WINDOW_MS)
  const at: TransferProgress['at'] = ({ doneBytes, totalBytes }) => {
    if (stderr.isTTY !== true) return
    const time = now()
    if (time - drawnAt < REDRAW_MS) return
    drawnAt = time
    stderr.write(`\r\u001b[K${progressText(verb, doneBytes, totalBytes, meter.rate(time, doneBytes))}`)
  }
  return {
    at,
    of: (doneBytes, totalBytes) => at({ doneBytes, totalBytes }),
    clear: () => {
      if (drawnAt > Number.NEGATIVE_INFINITY) stderr.write('\r\u001b[K')
      drawnAt = Number.NEGATIVE_INFINITY
    },
  }
}

function progressText(verb: string, doneBytes: number, totalBytes: number | undefined, rate: number): string {
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
