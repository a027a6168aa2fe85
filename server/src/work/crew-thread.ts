import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { threadId } from '@kitseal/kit/internal/node'
import { serveCrew } from '../runtime/serve-crew.ts'
import { type CrewConfig, crewFunctions } from './crew-functions.ts'

const NICE = 10

// A worker: it runs what hostile files could crash or hang, without a database and without keys.
lowerPriority()
serveCrew(crewFunctions(workerData as CrewConfig))

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
