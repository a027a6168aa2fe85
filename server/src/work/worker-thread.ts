import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { threadId } from '@kitseal/kit/internal/node'
import { serveWorker } from '../runtime/serve-worker.ts'
import { type WorkerConfig, workerFunctions } from './worker-functions.ts'

const NICE = 10

// A worker: it runs what hostile files could crash or hang, without a database and without keys.
lowerPriority()
serveWorker(workerFunctions(workerData as WorkerConfig))

/** So that requests come first. On Linux, threads have IDs of their own. */
function lowerPriority(): void {
  const thread = threadId()
  if (thread === undefined || thread === process.pid) return
  try {
    setPriority(thread, NICE)
  } catch {
    // Not permitted.
  }
}
