export interface QueueLimit {
  readonly maxWaiting: number
  /** Thrown instead of waiting if the queue is full. */
  readonly queueFull: () => Error
}

/** Limits how many operations run at the same time. The others wait in order. */
export class Semaphore {
  readonly #limit: number
  readonly #queueLimit: QueueLimit | undefined
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(limit: number, queueLimit?: QueueLimit) {
    this.#limit = limit
    this.#queueLimit = queueLimit
  }

  async run<T>(operation: () => Promise<T> | T): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1
    else await this.#wait()
    try {
      return await operation()
    } finally {
      // The slot passes directly to the next in line. setImmediate lets other events run in between.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else setImmediate(next)
    }
  }

  #wait(): Promise<void> {
    if (this.#queueLimit !== undefined && this.#waiting.length >= this.#queueLimit.maxWaiting)
      throw this.#queueLimit.queueFull()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
