/** Under npm, Ctrl-C arrives twice: from the terminal and from npm. */
const SAME_REQUEST_MS = 1000

/** Resolves on SIGINT or SIGTERM. A second signal later than that ends the process immediately. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined
    const onSignal = (signal: NodeJS.Signals): void => {
      first ??= performance.now()
      if (performance.now() - first < SAME_REQUEST_MS) return resolve(signal)
      process.off(signal, onSignal)
      process.kill(process.pid, signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
  })
}
