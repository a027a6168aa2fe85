/** A cache of limited size that evicts entries which were not used recently. */
export class LruCache<T> {
  readonly #half: number
  #recent = new Map<string, T>()
  /** Not used since the recent ones. Evicted when those are half of the cache. */
  #older = new Map<string, T>()

  constructor(most: number) {
    this.#half = most / 2
  }

  get(key: string): T | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: string, result: T): void {
    if (this.#recent.size >= this.#half) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, result)
  }
}
