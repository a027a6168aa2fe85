/** Counts by name, in the order in which they are shown. */
export class Tally {
  readonly #counts: Map<string, number>

  /** These names are shown even if their count is zero. */
  constructor(...shown: readonly string[]) {
    this.#counts = new Map(shown.map((name) => [name, 0]))
  }

  static just(name: string, count: number): Tally {
    const counts = new Tally()
    counts.add(name, count)
    return counts
  }

  add(name: string, count = 1): void {
    this.#counts.set(name, this.of(name) + count)
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  list(): readonly { readonly name: string; readonly count: number }[] {
    return [...this.#counts].map(([name, count]) => ({ name, count }))
  }
}
