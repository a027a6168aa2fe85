import type { Verification, VerifyOrder } from './verify-subject.ts'
import type { VerifyReply } from './verify-worker.ts'

export interface Running {
  readonly done: Promise<Verification>
  stop(): void
}

/** Verifies in a worker, so that the page stays alive meanwhile. */
export function runVerification(order: VerifyOrder, onProgress: (bytesRead: number) => void): Running {
  const { promise, resolve, reject } = Promise.withResolvers<Verification>()
  const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('error', (event) => {
    worker.terminate()
    reject(new Error(event.message))
  })
  worker.addEventListener('message', ({ data }: MessageEvent<VerifyReply>) => {
    if (data.is === 'progress') return onProgress(data.bytesRead)
    worker.terminate()
    if (data.is === 'done') resolve(data.verification)
    else reject(new Error(data.message))
  })
  worker.postMessage(order)
  return { done: promise, stop: () => worker.terminate() }
}
