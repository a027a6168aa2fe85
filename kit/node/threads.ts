import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Measured, SharedTask } from './measure.ts'

/** Starts as many threads as there are cores beside this one, and not more than there are runs. */
export function startThreads(task: SharedTask): readonly Promise<readonly Measured[]>[] {
  const count = Math.min(availableParallelism(), task.runs.length) - 1
  return Array.from({ length: count }, () => inThread(task))
}

/** Set where everything is built into one file: the thread's code, which then has no file of its own. */
declare const KITSEAL_THREAD_SOURCE: string | undefined

function inThread(workerData: SharedTask): Promise<readonly Measured[]> {
  const worker =
    typeof KITSEAL_THREAD_SOURCE === 'string'
      ? new Worker(KITSEAL_THREAD_SOURCE, { workerData, eval: true })
      : new Worker(threadFile(), { workerData })
  // Not Promise.withResolvers: what is published runs on Node 20 too.
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('a hashing thread ended early')))
  })
}

/** As source or as built: the thread's file stands beside this one with the same ending. */
function threadFile(): URL {
  const ending = /\.[a-z]+$/.exec(import.meta.url)?.[0] ?? '.ts'
  return new URL(`./measure-thread${ending}`, import.meta.url)
}
