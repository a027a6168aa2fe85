import { platform } from '@kitseal/kit/internal/node'

/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_REQUEST_MS = 1000

/** Resolves on a signal to stop. A second signal later than that ends the process immediately. */
export function untilSignal(signals = platform.stopSignals): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = (signal: NodeJS.Signals): void => {
      first ??= performance.now()
      if (performance.now() - first < SAME_REQUEST_MS) return resolve(signal)
      process.off(signal, onSignal)
      process.kill(process.pid, signal)
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}

/** Keeps the service running if its terminal closes or the log reader dies. */
export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
