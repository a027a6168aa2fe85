import type { Pin, TrustedKeySet } from '@kitseal/kit'
import { readKeySet } from './read-key-set.ts'
import type { Terminal } from './terminal.ts'
import { readTrustStore, trustStorePath } from './trust-store.ts'

/** The keys that the user trusts. */
export interface TrustedKeys {
  readonly keySets: readonly TrustedKeySet[]
  readonly kids: readonly string[]
  /** Empty if keys were given as options, which replace pins. */
  readonly pins: readonly Pin[]
}

export async function readTrustedKeys(
  sources: readonly string[],
  kids: readonly string[],
  { env }: Terminal,
): Promise<TrustedKeys> {
  const keySets: TrustedKeySet[] = []
  for (const source of sources) keySets.push(await readKeySet(source))
  const given = sources.length + kids.length > 0
  return { keySets, kids, pins: given ? [] : readTrustStore(trustStorePath(env)) }
}
