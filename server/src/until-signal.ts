/** Ctrl-C under npm arrives twice at once: from the terminal, and passed on by npm. */
const SAME_REQUEST_MS = 1000

/** Resolves when the process is asked to end. Asked a second time, later, it ends at once: the user means it. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined
    const asked = (signal: NodeJS.Signals): void => {
      first ??= performance.now()
      if (performance.now() - first < SAME_REQUEST_MS) return resolve(signal)
      process.off(signal, asked)
      process.kill(process.pid, signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, asked)
  })
}
