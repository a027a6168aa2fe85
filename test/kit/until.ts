import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until the condition is met. A test that waits in vain ends with the test runner's timeout. */
export async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; !(await isMet()); looks += 1) await pauseAfter(looks)
}

const LONGEST_PAUSE_MS = 250

/** The pause before another look at a state that stays. It grows, because looking takes processor time from the work. */
export const pauseAfter = (looks: number): Promise<void> =>
  sleep(Math.min(10 * 1.3 ** looks, LONGEST_PAUSE_MS))
