import { fromBase64url, type KeySet, pointProblem, type PublicJwk } from '@kitseal/kit/internal'
import { InputError } from './input-error.ts'

/** The keys of a set that may be pinned: all but the revoked ones. Throws if any key is rejected or not secure. */
export function usableKeys(set: KeySet, source: string): readonly PublicJwk[] {
  const [refused] = set.refused
  if (refused !== undefined) throw new InputError(`${source}: a key ${refused.why}`)
  for (const { kid, x } of set.keys) {
    const problem = pointProblem(fromBase64url(x) ?? new Uint8Array(32))
    if (problem !== undefined)
      throw new InputError(`${source}: the key ${kid} is a ${problem} point and not secure`)
  }
  if (set.keys.length + set.revoked.length === 0) throw new InputError(`${source} contains no Ed25519 key`)
  const revoked = new Set(set.revoked.map(({ kid }) => kid))
  return set.keys.filter(({ kid }) => !revoked.has(kid))
}
