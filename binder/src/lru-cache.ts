/** A cache of limited size that evicts the least recently used entry. */
export class LruCache<T> {
  readonly #most: number
  /** Ordered by last use. */
  readonly #results = new Map<string, T>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): T | undefined {
    const result = this.#results.get(key)
    if (result !== undefined) this.#putLast(key, result)
    return result
  }

  set(key: string, result: T): void {
    this.#putLast(key, result)
    const [oldest] = this.#results.keys()
    if (this.#results.size > this.#most && oldest !== undefined) this.#results.delete(oldest)
  }

  #putLast(key: string, result: T): void {
    this.#results.delete(key)
    this.#results.set(key, result)
  }
}
