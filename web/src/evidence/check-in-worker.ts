import type { Finding } from '../console/blocker-groups.ts'
import type { CheckOrder, CheckReply } from './check-worker.ts'

export interface RunningCheck {
  readonly done: Promise<readonly Finding[]>
  stop(): void
}

/** Checks files in a worker, which loads the rules on first use. */
export function checkInWorker(order: CheckOrder): RunningCheck {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Finding[]>()
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('error', (event) => {
    worker.terminate()
    reject(new Error(event.message))
  })
  worker.addEventListener('message', ({ data }: MessageEvent<CheckReply>) => {
    worker.terminate()
    if (data.is === 'done') resolve(data.findings)
    else reject(new Error(data.message))
  })
  worker.postMessage(order)
  return { done: promise, stop: () => worker.terminate() }
}
