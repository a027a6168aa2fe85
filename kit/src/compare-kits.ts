import type { Artifact, Manifest } from './manifest.ts'
import { groupBy } from './lists.ts'
import { comparePaths } from './paths.ts'

export interface KitComparison {
  readonly added: readonly Artifact[]
  readonly removed: readonly Artifact[]
  readonly changed: readonly { readonly path: string; readonly from: Artifact; readonly to: Artifact }[]
  /** Renamed or moved: the same bytes at another path. */
  readonly moved: readonly (Pick<Artifact, 'sha256' | 'size_bytes'> & {
    readonly from: string
    readonly to: string
  })[]
  readonly unchanged: number
}

const EVIDENCE = 'data/'

/**
 * Compares the evidence of two kits, or with `allFiles` everything that their manifests list.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { compareKits } from '@kitseal/kit'
 *
 * const sha256 = 'a'.repeat(64)
 * const march = { artifacts: [{ path: 'data/users.csv', sha256, size_bytes: 12 }] }
 * const april = { artifacts: [{ path: 'data/2026/users.csv', sha256, size_bytes: 12 }] }
 * const { added, moved } = compareKits(march, april)
 * assert.equal(added.length, 0)
 * assert.equal(moved[0]?.to, 'data/2026/users.csv')
 * ```
 */
export function compareKits(
  older: Pick<Manifest, 'artifacts'>,
  newer: Pick<Manifest, 'artifacts'>,
  { allFiles = false }: { readonly allFiles?: boolean } = {},
): KitComparison {
  const byPath = ({ artifacts }: Pick<Manifest, 'artifacts'>): ReadonlyMap<string, Artifact> =>
    new Map(
      artifacts
        .filter(({ path }) => allFiles || path.startsWith(EVIDENCE))
        .map((artifact) => [artifact.path, artifact]),
    )
  const before = byPath(older)
  const after = byPath(newer)
  const changed = [...before].flatMap(([path, from]) => {
    const to = after.get(path)
    return to === undefined || to.sha256 === from.sha256 ? [] : [{ path, from, to }]
  })
  const gone = [...before.values()].filter(({ path }) => !after.has(path))
  const arrived = [...after.values()].filter(({ path }) => !before.has(path))
  const { moved, removed, added } = matchByContent(gone, arrived)
  return { added, removed, changed, moved, unchanged: before.size - changed.length - gone.length }
}

/** What makes a pair likely, the most likely first: moved with its name, renamed in its folder, or both. */
const LIKENESS: readonly ((path: string) => string)[] = [
  (path) => path.slice(path.lastIndexOf('/') + 1),
  (path) => path.slice(0, path.lastIndexOf('/') + 1),
  () => '',
]

const inOrder = (a: Artifact, b: Artifact): number => comparePaths(a.path, b.path)

/** Pairs files that are gone with new files of the same content, each at most once and in the order of their paths. */
function matchByContent(
  gone: readonly Artifact[],
  arrived: readonly Artifact[],
): Pick<KitComparison, 'added' | 'removed' | 'moved'> {
  const moved: KitComparison['moved'][number][] = []
  const removed = new Set(gone.toSorted(inOrder))
  const added = new Set(arrived.toSorted(inOrder))
  for (const likeness of LIKENESS) {
    const keyOf = ({ sha256, path }: Artifact): string => `${sha256} ${likeness(path)}`
    const candidates = groupBy(added, keyOf)
    for (const file of removed) {
      const target = candidates.get(keyOf(file))?.shift()
      if (target === undefined) continue
      removed.delete(file)
      added.delete(target)
      moved.push({ from: file.path, to: target.path, sha256: file.sha256, size_bytes: file.size_bytes })
    }
  }
  moved.sort((a, b) => comparePaths(a.from, b.from))
  return { added: [...added], removed: [...removed], moved }
}
