/** The first index at or after which every item of a sorted list matches; its length if none does. */
export function firstWhere<Item>(sorted: readonly Item[], matches: (item: Item) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (matches(sorted[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * The items by a key, in their order, as `Map.groupBy` does, which Node.js 20 and older browsers lack.
 */
export function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
