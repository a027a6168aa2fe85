import { setPriority } from 'node:os'
import { threadId } from '@kitseal/kit/internal/node'

const NICE = 10

/** Lowers the priority of the calling thread, so that requests come first. On Linux, threads have their own IDs. */
export function lowerPriority(): void {
  const thread = threadId()
  if (thread === undefined || thread === process.pid) return
  try {
    setPriority(thread, NICE)
  } catch {
    // Not permitted.
  }
}
