import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

const NICE = 10

/**
 * Where processors are scarce, whoever answers requests goes first: the thread that calls this gets a lower priority than
 * the rest of the process. Linux knows each thread by an id of its own.
 */
export function stepBack(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (thread !== process.pid) setPriority(thread, NICE)
  } catch {
    // Another system, or one that hides it: work and requests then share alike.
  }
}
