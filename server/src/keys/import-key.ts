import { type LogLeaf, parseLeaf, type PublicJwk, thumbprint, utf8 } from '@kitseal/kit/internal'
import { takeLock } from '../database/dialect.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { type Clock, timestamp } from '../runtime/clock.ts'
import { findSigningKey } from './signing-key-queries.ts'

/** `not_logged`: the log of this service does not say that the key was ever one of its keys. */
export type ImportedKey = 'imported' | 'known' | 'not_logged'

/**
 * Takes back the public half of a key that signed kits, and that a restored database does not know. Its times are those in the
 * log, which also says whether it was revoked. It never signs again.
 */
export async function importKey(db: Db, clock: Clock, { x }: Pick<PublicJwk, 'x'>): Promise<ImportedKey> {
  const kid = thumbprint(x)
  return transact(db, async (trx) => {
    await takeLock(trx, 'signingKeys')
    if ((await findSigningKey(trx, kid)) !== undefined) return 'known'
    const events = await eventsOf(trx, kid)
    const added = events.find(({ event }) => event === 'added')
    if (added === undefined) return 'not_logged'
    const ended = events.find(({ event }) => event !== 'added')
    const retired_at = ended?.at ?? timestamp(clock.now())
    const key = { kid, x, provider: 'imported', reference: kid, created_at: added.at } as const
    await trx
      .insertInto('signing_keys')
      .values({ ...key, state: 'retired', retired_at, revoked_at: null, compromised_since: null })
      .execute()
    const revoked = events.findLast(({ event }) => event === 'revoked' || event === 'compromised')
    if (revoked !== undefined)
      await trx
        .updateTable('signing_keys')
        .set({ state: 'revoked', revoked_at: revoked.at, compromised_since: revoked.since ?? null })
        .where('kid', '=', kid)
        .execute()
    return 'imported'
  })
}

async function eventsOf(db: Db, kid: string) {
  const rows = await db
    .selectFrom('log_leaves')
    .select('leaf')
    .where('leaf', 'like', `%"kid":"${kid}"%`)
    .where('leaf_index', 'is not', null)
    .orderBy('leaf_index')
    .execute()
  const leaves: readonly LogLeaf[] = rows.map(({ leaf }) => parseLeaf(utf8(leaf)))
  return leaves.flatMap((leaf) => (leaf.kind === 'key' && leaf.kid === kid ? [leaf] : []))
}
