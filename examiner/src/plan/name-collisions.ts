import { nameKey } from '../file-names.ts'

interface PlannedPath {
  readonly path: string
  readonly displayPath: string
}

interface Collision {
  readonly displayPath: string
  readonly detail: string
}

/** Finds files with the same name, and files with the name of a folder, across everything that was supplied. */
export function findCollisions(files: readonly PlannedPath[]): readonly Collision[] {
  const collisions: Collision[] = []
  const taken = new Map<string, { readonly displayPath: string; readonly order: number }>()
  for (const [order, { path, displayPath }] of files.entries()) {
    const key = nameKey(path)
    const other = taken.get(key)?.displayPath
    if (other !== undefined) collisions.push({ displayPath, detail: `the other file is ${other}` })
    taken.set(key, { displayPath, order })
  }
  // With a slash at the end, a file sorts right before the paths below it. Checking every parent folder would be slow.
  const sorted = [...taken.keys()].map((key) => `${key}/`).toSorted()
  for (const [index, key] of sorted.entries()) {
    const below = sorted[index + 1]
    if (below?.startsWith(key) !== true) continue
    const [file, inner] = [taken.get(key.slice(0, -1)), taken.get(below.slice(0, -1))]
    if (file === undefined || inner === undefined) continue
    const later = file.order < inner.order ? inner : file
    const detail = `a file has the name of a folder: ${file.displayPath}`
    collisions.push({ displayPath: later.displayPath, detail })
  }
  return collisions
}
