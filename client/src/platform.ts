/** Clock, timer and randomness. Tests replace them. */
export interface Platform {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms`, or rejects with the signal's reason when it is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** 0 ≤ x < 1. */
  random(): number
  randomBytes(length: number): Uint8Array
}

export const systemPlatform: Platform = {
  now: () => Date.now(),
  random: () => Math.random(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason as Error)
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
      return undefined
    }),
}
