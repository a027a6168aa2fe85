import { rmSync } from 'node:fs'

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

const EXIT_CODES: Readonly<Record<Signal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
const SIGNALS = Object.keys(EXIT_CODES) as readonly Signal[]

/** The user, or the system, has had enough. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly exitCode: number

  constructor(signal: Signal) {
    super('interrupted')
    this.exitCode = EXIT_CODES[signal]
  }
}

/** Ctrl-C under npm arrives twice at once: from the terminal, and passed on by npm. */
const SAME_REQUEST_MS = 1000

/** Turns Ctrl-C into an abort with an Interrupted as its reason. Asked a second time, later, the process ends at once. */
export function interruption(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController()
  let first: number | undefined
  const asked = (name: Signal): void => {
    first ??= performance.now()
    controller.abort(new Interrupted(name))
    if (performance.now() - first < SAME_REQUEST_MS) return
    process.off(name, asked)
    process.kill(process.pid, name)
  }
  for (const name of SIGNALS) process.on(name, asked)
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) process.off(name, asked)
    },
  }
}

/**
 * Makes something that a Ctrl-C takes along until this is disposed; the process then ends as it would have without it.
 * It listens before anything is made, so that there is no moment in which a Ctrl-C would leave it behind.
 */
export function removedByInterruption(make: () => string): { readonly path: string } & Disposable {
  let path: string | undefined
  const off = (): void => {
    for (const name of SIGNALS) process.off(name, asked)
  }
  const asked = (name: Signal): void => {
    off()
    if (path !== undefined) rmSync(path, { recursive: true, force: true })
    process.kill(process.pid, name)
  }
  for (const name of SIGNALS) process.on(name, asked)
  try {
    path = make()
    return { path, [Symbol.dispose]: off }
  } catch (error) {
    off()
    throw error
  }
}
