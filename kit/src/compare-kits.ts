import type { Artifact, Manifest } from './manifest.ts'

export interface KitComparison {
  readonly added: readonly Artifact[]
  readonly removed: readonly Artifact[]
  readonly changed: readonly { readonly path: string; readonly from: Artifact; readonly to: Artifact }[]
  /** The same content at another path. */
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

/** Pairs files that are gone with new files of the same content, each at most once. */
function matchByContent(
  gone: readonly Artifact[],
  arrived: readonly Artifact[],
): Pick<KitComparison, 'added' | 'removed' | 'moved'> {
  const candidates = new Map<string, Artifact[]>()
  for (const file of arrived) candidates.set(file.sha256, [...(candidates.get(file.sha256) ?? []), file])
  const added = new Set(arrived)
  const removed: Artifact[] = []
  const moved: KitComparison['moved'][number][] = []
  for (const file of gone) {
    const target = candidates.get(file.sha256)?.shift()
    if (target === undefined) {
      removed.push(file)
      continue
    }
    added.delete(target)
    moved.push({ from: file.path, to: target.path, sha256: file.sha256, size_bytes: file.size_bytes })
  }
  return { added: [...added], removed, moved }
}
