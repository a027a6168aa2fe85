import type { KeySet, Pin } from '@kitseal/kit'
import { readKeySet } from './read-key-set.ts'
import type { Terminal } from './terminal.ts'
import { readTrustStore, trustStorePath } from './trust-store.ts'

/** What the reader trusts, read before anything is asked of a service. */
export interface ReadersKeys {
  readonly keySets: readonly KeySet[]
  readonly kids: readonly string[]
  /** None where keys were given: those alone count. */
  readonly pins: readonly Pin[]
}

export async function readersKeys(
  places: readonly string[],
  kids: readonly string[],
  { env }: Terminal,
): Promise<ReadersKeys> {
  const keySets: KeySet[] = []
  for (const place of places) keySets.push(await readKeySet(place))
  const given = places.length + kids.length > 0
  return { keySets, kids, pins: given ? [] : readTrustStore(trustStorePath(env)) }
}
