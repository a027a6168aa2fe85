import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until the condition is met. A test that waits in vain ends with the test runner's timeout. */
export async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isMet())) await sleep(10)
}
