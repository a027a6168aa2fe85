/** How well two kinds of answers can be told apart by the time that they take. */
export interface Difference {
  /**
   * How often an answer of the second kind takes longer than one of the first (Mann and Whitney): 0.5 where nothing can be
   * told, 0 or 1 where one look is enough. Ranks alone count, so that no outlier weighs more than another.
   */
  readonly slower: number
  /** Between the medians, in microseconds. */
  readonly medianMicros: number
}

export function tellApart(first: readonly number[], second: readonly number[]): Difference {
  const all = [...first.map((ms) => ({ ms, of: 1 })), ...second.map((ms) => ({ ms, of: 2 }))]
  all.sort((a, b) => a.ms - b.ms)
  let ranks = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]?.ms === all[from]?.ms) to += 1
    // Those that took the same time share the rank in their middle.
    const rank = (from + 1 + to) / 2
    for (let at = from; at < to; at += 1) if (all[at]?.of === 2) ranks += rank
    from = to
  }
  const wins = ranks - (second.length * (second.length + 1)) / 2
  return {
    slower: wins / (first.length * second.length),
    medianMicros: (median(second) - median(first)) * 1000,
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}
