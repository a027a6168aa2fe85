import { type Order, type Verified, verifyPicked } from './verify-picked.ts'

type Reply =
  | { readonly is: 'ready' }
  | { readonly is: 'progress'; readonly bytesRead: number }
  | { readonly is: 'done'; readonly verified: Verified }
  | { readonly is: 'failed'; readonly message: string }

export interface Running {
  readonly verified: Promise<Verified>
  stop(): void
}

export class Stopped extends Error {}

/**
 * Verifies in a worker made of this page's own script, so that the page stays alive meanwhile. A browser that allows no
 * such worker verifies in the page itself, which breathes between any two slices of the kit.
 */
export function verifyInWorker(
  script: string,
  order: Order,
  onProgress: (bytesRead: number) => void,
): Running {
  const { promise, resolve, reject } = Promise.withResolvers<Verified>()
  const inPage = (): void => void verifyPicked(order, onProgress).then(resolve, reject)
  const worker = workerOf(script)
  if (worker === undefined) {
    inPage()
    return { verified: promise, stop: () => reject(new Stopped()) }
  }
  let started = false
  worker.addEventListener('error', (event) => {
    event.preventDefault()
    worker.terminate()
    if (started) reject(new Error(event.message))
    else inPage()
  })
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    if (data.is === 'progress') return onProgress(data.bytesRead)
    if (data.is === 'ready') {
      started = true
      return worker.postMessage(order)
    }
    worker.terminate()
    if (data.is === 'done') resolve(data.verified)
    else reject(new Error(data.message))
  })
  const stop = (): void => {
    worker.terminate()
    reject(new Stopped())
  }
  return { verified: promise, stop }
}

/** The worker's side: one order, one answer. */
export function serveInWorker(worker: DedicatedWorker): void {
  const reply = (message: Reply): void => worker.postMessage(message)
  worker.addEventListener('message', ({ data }) => {
    verifyPicked(
      data,
      everySoOften((bytesRead) => reply({ is: 'progress', bytesRead })),
    ).then(
      (verified) => reply({ is: 'done', verified }),
      (error: unknown) => reply({ is: 'failed', message: String(error) }),
    )
  })
  reply({ is: 'ready' })
}

/** What a dedicated worker's global object offers; the types of the page do not know it. */
export interface DedicatedWorker {
  addEventListener(type: 'message', listener: (event: MessageEvent<Order>) => void): void
  postMessage(message: unknown): void
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

function workerOf(script: string): Worker | undefined {
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  try {
    return new Worker(trusted(url))
  } catch {
    return undefined
  } finally {
    // The fetch of the script has begun with the address in hand.
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

function trusted(url: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('kitseal', { createScriptURL: (own) => own })
  return policy?.createScriptURL(url) ?? url
}

function everySoOften(report: (bytes: number) => void): (bytes: number) => void {
  let last = 0
  return (bytes) => {
    const now = performance.now()
    if (now - last < 50) return
    last = now
    report(bytes)
  }
}
