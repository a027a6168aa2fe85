import type { Checked, CheckMessage, CheckOrder, CheckReply } from './check-worker.ts'
import type { ChosenFile } from './chosen-files.ts'

export interface RunningCheck {
  readonly done: Promise<Checked>
  stop(): void
}

/** How many files are handed to the worker before the page may do something else. */
export const FILES_AT_ONCE = 250

/** Checks files in a worker, which loads the rules on first use. */
export function checkInWorker(
  files: readonly ChosenFile[],
  order: CheckOrder,
  onProgress: (readBytes: number) => void = () => {},
): RunningCheck {
  const { promise, resolve, reject } = Promise.withResolvers<Checked>()
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('error', (event) => {
    worker.terminate()
    reject(new Error(event.message))
  })
  worker.addEventListener('message', ({ data }: MessageEvent<CheckReply>) => {
    if (data.is === 'progress') return onProgress(data.readBytes)
    worker.terminate()
    if (data.is === 'done') resolve(data)
    else reject(new Error(data.message))
    return undefined
  })
  const send = (message: CheckMessage): void => worker.postMessage(message)
  let isStopped = false
  const hand = (from: number): void => {
    if (isStopped) return
    send({ is: 'files', files: files.slice(from, from + FILES_AT_ONCE) })
    if (from + FILES_AT_ONCE < files.length) setTimeout(hand, 0, from + FILES_AT_ONCE)
    else send({ is: 'check', ...order })
  }
  hand(0)
  const stop = (): void => {
    isStopped = true
    worker.terminate()
  }
  return { done: promise, stop }
}
