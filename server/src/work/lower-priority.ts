import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

const NICE = 10

/** Lowers the priority of the calling thread, so that requests come first. On Linux, threads have their own IDs. */
export function lowerPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (thread !== process.pid) setPriority(thread, NICE)
  } catch {
    // Not supported on this system.
  }
}
