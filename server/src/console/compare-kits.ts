import type { KitEntry } from '../database/schema.ts'

export interface ComparedFile {
  readonly path: string
  readonly sha256: string
  readonly size_bytes: number
}

/** What is different between the evidence of two kits. */
export interface Comparison {
  readonly added: readonly ComparedFile[]
  readonly removed: readonly ComparedFile[]
  readonly changed: readonly {
    readonly path: string
    readonly from: Omit<ComparedFile, 'path'>
    readonly to: Omit<ComparedFile, 'path'>
  }[]
  /** The same bytes at another path. */
  readonly moved: readonly {
    readonly from: string
    readonly to: string
    readonly sha256: string
    readonly size_bytes: number
  }[]
  readonly unchanged: number
}

const EVIDENCE = 'data/'

export function compareKits(from: readonly KitEntry[], to: readonly KitEntry[]): Comparison {
  const before = new Map(evidenceIn(from))
  const after = new Map(evidenceIn(to))
  const changed = [...before].flatMap(([path, old]) => {
    const now = after.get(path)
    return now === undefined || now.sha256 === old.sha256
      ? []
      : [
          {
            path,
            from: { sha256: old.sha256, size_bytes: old.size_bytes },
            to: { sha256: now.sha256, size_bytes: now.size_bytes },
          },
        ]
  })
  const gone = [...before.values()].filter(({ path }) => !after.has(path))
  const arrived = new Map(
    [...after.values()].filter(({ path }) => !before.has(path)).map((file) => [file.path, file]),
  )
  const places = new Map<string, ComparedFile[]>()
  for (const file of arrived.values()) places.set(file.sha256, [...(places.get(file.sha256) ?? []), file])
  const moved: Comparison['moved'][number][] = []
  const removed: ComparedFile[] = []
  for (const file of gone) {
    const place = places.get(file.sha256)?.shift()
    if (place === undefined) removed.push(file)
    else {
      arrived.delete(place.path)
      moved.push({ from: file.path, to: place.path, sha256: file.sha256, size_bytes: file.size_bytes })
    }
  }
  const unchanged = before.size - changed.length - gone.length
  return { added: [...arrived.values()], removed, changed, moved, unchanged }
}

const evidenceIn = (entries: readonly KitEntry[]): readonly (readonly [string, ComparedFile])[] =>
  entries
    .filter(({ path }) => path.startsWith(EVIDENCE))
    .map(({ path, sha256, sizeBytes }) => [path, { path, sha256, size_bytes: sizeBytes }])
