import { formatBytes } from '@kitseal/kit'
import type { Terminal } from './terminal.ts'

const LARGE_BYTES = 64 * 1024 * 1024
const REDRAW_MS = 100

export interface ProgressLine {
  expect(totalBytes: number): void
  done(bytes: number): void
  clear(): void
}

/** Hashing progress on stderr, for large kits on a terminal. */
export function progressLine({ stderr }: Terminal): ProgressLine {
  let total = 0
  let drawnAt = 0
  return {
    expect: (totalBytes) => {
      total = totalBytes
    },
    done: (bytes) => {
      if (stderr.isTTY !== true || total < LARGE_BYTES) return
      const now = performance.now()
      if (now - drawnAt < REDRAW_MS) return
      drawnAt = now
      const percent = Math.min(100, Math.floor((bytes / total) * 100))
      stderr.write(`\r\u001b[Khashing ${percent} % of ${formatBytes(total)}`)
    },
    clear: () => {
      if (drawnAt > 0) stderr.write('\r\u001b[K')
    },
  }
}
