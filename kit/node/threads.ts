import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Measured, SharedTask } from './measure.ts'

/** Threads that are started before it is known what they will do: a thread takes as long to start as many kits to read. */
export interface Threads extends Disposable {
  measure(task: SharedTask): readonly Promise<readonly Measured[]>[]
}

/** One thread for each core beside this one. */
export function startThreads(): Threads {
  const workers = Array.from({ length: availableParallelism() - 1 }, startThread)
  return {
    measure: (task) => workers.slice(0, task.runs.length - 1).map((worker) => measured(worker, task)),
    [Symbol.dispose]: () => {
      for (const worker of workers) void worker.terminate()
    },
  }
}

function measured(worker: Worker, task: SharedTask): Promise<readonly Measured[]> {
  // Not Promise.withResolvers: what is published runs on Node 20 too.
  return new Promise((resolve, reject) => {
    worker.once('message', (found: readonly Measured[]) => {
      worker.unref()
      resolve(found)
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('a hashing thread exited unexpectedly')))
    worker.ref()
    worker.postMessage(task)
  })
}

/** Set where everything is built into one file: the thread's code, which then has no file of its own. */
declare const KITSEAL_THREAD_SOURCE: string | undefined

function startThread(): Worker {
  const worker =
    typeof KITSEAL_THREAD_SOURCE === 'string'
      ? new Worker(KITSEAL_THREAD_SOURCE, { eval: true })
      : new Worker(threadFile())
  // Nobody waits for a thread that has nothing to do, nor hears of its troubles.
  worker.on('error', () => undefined)
  worker.unref()
  return worker
}

/** As source or as built: the thread's file stands beside this one with the same ending. */
function threadFile(): URL {
  const ending = /\.[a-z]+$/.exec(import.meta.url)?.[0] ?? '.ts'
  // Beside a bundle it is CommonJS, which a thread loads sooner.
  return new URL(`./measure-thread${ending === '.mjs' ? '.cjs' : ending}`, import.meta.url)
}
