/**
 * Matches a path, ignoring case: `*` is any part of a name, `?` one character, `**` any number of folders. Takes bounded
 * time on any input, unlike a regular expression.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  const parts = path.toLowerCase().split('/')
  const segments = pattern.toLowerCase().split('/')
  // reach[i]: the segments so far can match the first i parts.
  let reach: boolean[] = [true, ...parts.map(() => false)]
  for (const segment of segments) {
    const next = reach.map(() => false)
    for (let count = 0; count <= parts.length; count++) {
      if (segment === '**') next[count] = reach.slice(0, count + 1).includes(true)
      else
        next[count] = count > 0 && reach[count - 1] === true && matchesName(parts[count - 1] ?? '', segment)
    }
    reach = next
  }
  return reach[parts.length] === true
}

/** Greedy matching with one backtracking point, the last `*`. */
function matchesName(name: string, pattern: string): boolean {
  let [at, wanted, star, retry] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[wanted] === '*') {
      star = wanted++
      retry = at
    } else if (wanted < pattern.length && (pattern[wanted] === '?' || pattern[wanted] === name[at])) {
      at++
      wanted++
    } else if (star !== -1) {
      wanted = star + 1
      at = ++retry
    } else return false
  }
  while (pattern[wanted] === '*') wanted++
  return wanted === pattern.length
}
