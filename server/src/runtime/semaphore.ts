export interface QueueLimit {
  readonly maxWaiting: number
  /** Thrown instead of waiting if the queue is full. */
  readonly queueFull: () => Error
}

interface Waiting {
  readonly caller: string
  readonly start: () => void
}

/** Limits how many operations run at the same time. The others wait in order. */
export class Semaphore {
  readonly #limit: number
  readonly #queueLimit: QueueLimit | undefined
  readonly #waiting: Waiting[] = []
  readonly #runningOf = new Map<string, number>()
  #running = 0

  constructor(limit: number, queueLimit?: QueueLimit) {
    this.#limit = limit
    this.#queueLimit = queueLimit
  }

  /** Operations of one caller, if it is named, take at most half of the places. */
  async run<T>(operation: () => Promise<T> | T, caller = ''): Promise<T> {
    if (this.#mayStart(caller)) this.#enter(caller)
    else await this.#wait(caller)
    try {
      return await operation()
    } finally {
      this.#leave(caller)
    }
  }

  #mayStart(caller: string): boolean {
    const own = caller === '' ? 0 : (this.#runningOf.get(caller) ?? 0)
    return this.#running < this.#limit && own < Math.max(1, this.#limit / 2)
  }

  #enter(caller: string): void {
    this.#running += 1
    if (caller !== '') this.#runningOf.set(caller, (this.#runningOf.get(caller) ?? 0) + 1)
  }

  #wait(caller: string): Promise<void> {
    if (this.#queueLimit !== undefined && this.#waiting.length >= this.#queueLimit.maxWaiting)
      throw this.#queueLimit.queueFull()
    return new Promise((start) => this.#waiting.push({ caller, start }))
  }

  /** The place passes directly to the next in line. setImmediate lets other events run in between. */
  #leave(caller: string): void {
    this.#running -= 1
    const own = (this.#runningOf.get(caller) ?? 0) - 1
    if (own > 0) this.#runningOf.set(caller, own)
    else this.#runningOf.delete(caller)
    const next = this.#waiting.findIndex((each) => this.#mayStart(each.caller))
    const [started] = next === -1 ? [] : this.#waiting.splice(next, 1)
    if (started === undefined) return
    this.#enter(started.caller)
    setImmediate(started.start)
  }
}
