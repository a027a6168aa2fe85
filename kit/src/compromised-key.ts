import { findKey, type KeySet, publicJwk, type RevokedKey } from './jwks.ts'

/**
 * For a receipt that is older than the compromise of its key, the key sets as they were before it; undefined for any
 * other. The key is no longer in them: it comes from the kit, by its key ID, which is a hash of the key. Its active
 * period is not taken from there.
 */
export function beforeCompromise<Set extends KeySet>(
  kid: string,
  kitKeys: KeySet | undefined,
  keySets: readonly Set[],
  existedAt: number | undefined,
): { readonly keySets: readonly Set[]; readonly revoked: RevokedKey } | undefined {
  const entries = keySets.flatMap((set) => set.revoked).filter((key) => key.kid === kid)
  const [revoked] = entries
  const key = kitKeys === undefined ? undefined : findKey(kitKeys, kid)
  if (revoked === undefined || key === undefined || !entries.every((entry) => isLater(entry, existedAt)))
    return undefined
  const restored = keySets.map((set) =>
    set.revoked.some((entry) => entry.kid === kid)
      ? {
          ...set,
          keys: [...set.keys.filter((other) => other.kid !== kid), publicJwk(key.x)],
          revoked: set.revoked.filter((entry) => entry.kid !== kid),
        }
      : set,
  )
  return { keySets: restored, revoked }
}

function isLater({ compromised_since: since }: RevokedKey, existedAt: number | undefined): boolean {
  return since !== undefined && existedAt !== undefined && existedAt < Date.parse(since)
}
