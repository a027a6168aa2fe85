import { type Verification, verifyPicked, type VerifyRequest } from './verify-picked.ts'

type Reply =
  | { readonly is: 'ready' }
  | { readonly is: 'progress'; readonly bytesRead: number }
  | { readonly is: 'done'; readonly verification: Verification }
  | { readonly is: 'failed'; readonly message: string }

export interface RunningVerification {
  /** Rejects with VerificationStopped after stop(). */
  readonly done: Promise<Verification>
  stop(): void
}

export class VerificationStopped extends Error {}

/** Verifies in a worker, or on the page's own thread if the browser cannot start one. */
export function verifyInWorker(
  createWorker: () => Worker,
  request: VerifyRequest,
  onProgress: (bytesRead: number) => void,
): RunningVerification {
  const { promise: done, resolve, reject } = Promise.withResolvers<Verification>()
  const verifyHere = (): void => void verifyPicked(request, onProgress).then(resolve, reject)
  let worker: Worker | undefined
  const stop = (): void => {
    worker?.terminate()
    reject(new VerificationStopped())
  }
  try {
    worker = createWorker()
  } catch {
    verifyHere()
    return { done, stop }
  }
  const running = worker
  let isReady = false
  running.addEventListener('error', (event) => {
    event.preventDefault()
    running.terminate()
    if (isReady) reject(new Error(event.message))
    else verifyHere()
  })
  running.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    if (data.is === 'progress') return onProgress(data.bytesRead)
    if (data.is === 'ready') {
      isReady = true
      return running.postMessage(request)
    }
    running.terminate()
    if (data.is === 'done') resolve(data.verification)
    else reject(new Error(data.message))
  })
  return { done, stop }
}

/** The worker's side: one request, one reply. */
export function serveInWorker(worker: WorkerScope): void {
  const reply = (message: Reply): void => worker.postMessage(message)
  const onProgress = throttled((bytesRead) => reply({ is: 'progress', bytesRead }))
  worker.addEventListener('message', ({ data }) => {
    verifyPicked(data, onProgress).then(
      (verification) => reply({ is: 'done', verification }),
      (error: unknown) => reply({ is: 'failed', message: String(error) }),
    )
  })
  reply({ is: 'ready' })
}

/** The part of a dedicated worker's global scope that is used; the DOM types do not include it. */
export interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<VerifyRequest>) => void): void
  postMessage(message: unknown): void
}

const PROGRESS_INTERVAL_MS = 50

function throttled(report: (bytes: number) => void): (bytes: number) => void {
  let last = 0
  return (bytes) => {
    const now = performance.now()
    if (now - last < PROGRESS_INTERVAL_MS) return
    last = now
    report(bytes)
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/**
 * Starts workers from the page's own inline script; throws if the browser does not allow it. Made once per page: a browser
 * accepts a policy of this name once.
 */
export function workersFromScript(script: string): () => Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  let policy: ReturnType<TrustedTypes['createPolicy']> | undefined
  return () => {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
    try {
      policy ??= trustedTypes?.createPolicy('kitseal', { createScriptURL: (own) => own })
      return new Worker(policy?.createScriptURL(url) ?? url)
    } finally {
      // The browser starts loading at once, but may still need the URL for a moment.
      setTimeout(() => URL.revokeObjectURL(url), 10_000)
    }
  }
}

/** Whether this browser can check Ed25519 signatures. Without it every kit fails. */
export async function supportsEd25519(): Promise<boolean> {
  try {
    // The encoded base point: any valid public key works.
    const key = new Uint8Array(32).fill(0x66)
    key[0] = 0x58
    await crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify'])
    return true
  } catch {
    return false
  }
}
