import { Refusal } from '../refusals.ts'
import { Semaphore } from '../runtime/semaphore.ts'

/** Limits concurrent kit readings; responds with 503 if too many are waiting. */
export const kitSemaphore = (limit: number, maxWaiting: number): Semaphore =>
  new Semaphore(limit, { maxWaiting, queueFull })

const queueFull = (): Refusal =>
  new Refusal('overloaded', 'Too many kits are being read at once. Try again shortly.', {
    headers: { 'retry-after': '2' },
  })
