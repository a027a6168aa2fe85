import type { Pin, PinnedLog, TrustedKeySet } from '@kitseal/kit/internal'
import { readKeySet } from './read-key-set.ts'
import type { Terminal } from './terminal.ts'
import { pinnedLog, readTrustStore, trustStorePath } from './trust-store.ts'

/** The keys that the user trusts. */
export interface TrustedKeys {
  readonly keySets: readonly TrustedKeySet[]
  readonly kids: readonly string[]
  /** Empty if keys were given as options, which replace pins. */
  readonly pins: readonly Pin[]
  readonly logs: readonly PinnedLog[]
}

export async function readTrustedKeys(
  sources: readonly string[],
  kids: readonly string[],
  { env }: Terminal,
): Promise<TrustedKeys> {
  const keySets: TrustedKeySet[] = []
  const { pins, logs } = readTrustStore(trustStorePath(env))
  for (const source of sources) keySets.push({ ...(await readKeySet(source)), pinned: pins })
  const given = sources.length + kids.length > 0
  return { keySets, kids, pins: given ? [] : pins, logs: logs.map(pinnedLog) }
}
