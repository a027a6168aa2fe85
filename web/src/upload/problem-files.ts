import type { Blocker } from '../core/findings.ts'
import type { ChosenFile } from './chosen-files.ts'

/** The blockers of each file that has any, by file name. A blocker may be about an entry inside a file. */
export function problemFiles(
  files: readonly ChosenFile[],
  blockers: readonly Blocker[],
): ReadonlyMap<string, readonly Blocker[]> {
  const found = new Map<string, Blocker[]>()
  if (blockers.length === 0) return found
  const names = new Set(files.map(({ name }) => name))
  for (const blocker of blockers) {
    const name = blocker.path === null ? undefined : fileOf(unescaped(blocker.path), names)
    if (name === undefined) continue
    const before = found.get(name)
    if (before === undefined) found.set(name, [blocker])
    else before.push(blocker)
  }
  return found
}

/** The file itself, or the one that the path continues after `/` or `:`. */
function fileOf(path: string, names: ReadonlySet<string>): string | undefined {
  for (
    let end = path.length;
    end > 0;
    end = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf(':', end - 1))
  ) {
    const name = path.slice(0, end)
    if (names.has(name)) return name
  }
  return undefined
}

/** The rules escape invisible characters in paths. Valid names contain no backslash. */
const ESCAPED = /\\u(?:\{([0-9a-f]{5,6})\}|([0-9a-f]{4}))/g

const unescaped = (path: string): string =>
  path.replaceAll(ESCAPED, (_, long?: string, short?: string) =>
    String.fromCodePoint(Number.parseInt(long ?? short ?? '', 16)),
  )
