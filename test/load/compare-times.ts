/** How well response times distinguish two kinds of requests. */
export interface Difference {
  /**
   * How often a response of the second kind takes longer than one of the first (Mann–Whitney): 0.5 if they are
   * indistinguishable, 0 or 1 if one sample is enough. Only ranks count, so outliers have no extra weight.
   */
  readonly slower: number
  /** Difference of the medians, in microseconds. */
  readonly medianMicros: number
}

export function compareTimes(first: readonly number[], second: readonly number[]): Difference {
  const all = [...first.map((ms) => ({ ms, of: 1 })), ...second.map((ms) => ({ ms, of: 2 }))]
  all.sort((a, b) => a.ms - b.ms)
  let ranks = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]?.ms === all[from]?.ms) to += 1
    // Equal times share their average rank.
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
