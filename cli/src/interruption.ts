import { rmSync } from 'node:fs'

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

const EXIT_CODES: Readonly<Record<Signal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
const SIGNALS = Object.keys(EXIT_CODES) as readonly Signal[]

/** The abort reason after Ctrl-C or a termination signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly exitCode: number

  constructor(signal: Signal) {
    super('interrupted')
    this.exitCode = EXIT_CODES[signal]
  }
}

/** Under npm, one Ctrl-C arrives twice: from the terminal and forwarded by npm. */
const SAME_REQUEST_MS = 1000

/** Listens for all of them. Returns how to stop. */
function onSignals(listener: (name: Signal) => void): () => void {
  for (const name of SIGNALS) process.on(name, listener)
  return () => {
    for (const name of SIGNALS) process.off(name, listener)
  }
}

/** An AbortSignal that Ctrl-C aborts with an `Interrupted`. A second Ctrl-C ends the process. */
export function interruptSignal(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  let first: number | undefined
  const onSignal = (name: Signal): void => {
    first ??= performance.now()
    controller.abort(new Interrupted(name))
    if (performance.now() - first < SAME_REQUEST_MS) return
    process.off(name, onSignal)
    process.kill(process.pid, name)
  }
  return { signal: controller.signal, [Symbol.dispose]: onSignals(onSignal) }
}

/** Creates a file or folder that Ctrl-C deletes, until this is disposed. Listens before creating it, to leave no gap. */
export function removeOnInterrupt(create: () => string): { readonly path: string } & Disposable {
  let path: string | undefined
  const off = onSignals((name) => {
    off()
    // Repeated, because a write that has begun may create a file in a folder that was just found empty.
    if (path !== undefined) rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
    process.kill(process.pid, name)
  })
  try {
    path = create()
    return { path, [Symbol.dispose]: off }
  } catch (error) {
    off()
    throw error
  }
}
