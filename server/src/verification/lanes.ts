import { Refusal } from '../refusals.ts'

/** Lets so many through at once, so many wait, and refuses the rest: load that is refused costs nothing. */
export interface Lane {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function lane(atOnce: number, waitingAtMost: number): Lane {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running += 1
      return
    }
    if (waiting.length >= waitingAtMost) {
      throw new Refusal('overloaded', 'Too many kits are being read at once. Try again shortly.', {
        headers: { 'retry-after': '2' },
      })
    }
    // The one who leaves hands its place over, so that nobody slips in between.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
