import { fromUtf8, LEAF_VERSION, leafBytes, type LogLeaf } from '@kitseal/kit/internal'
import type { KitId } from '../runtime/identifiers.ts'
import type { Db } from './schema.ts'

/** Adds a leaf to the log, in the transaction of the change that it records, and returns its ID. The sequencer puts it into the tree. */
export async function appendLeaf(trx: Db, leaf: LogLeaf, kitId: KitId | null = null): Promise<number> {
  const { leaf_id } = await trx
    .insertInto('log_leaves')
    .values(leafRow(leaf, kitId))
    .returning('leaf_id')
    .executeTakeFirstOrThrow()
  return Number(leaf_id)
}

export const leafRow = (leaf: LogLeaf, kitId: KitId | null) => ({
  leaf: fromUtf8(leafBytes(leaf)) ?? '',
  kit_id: kitId,
})

export async function appendKeyEvent(
  trx: Db,
  kid: string,
  event: 'added' | 'retired' | 'revoked' | 'compromised',
  at: string,
  since?: string,
): Promise<void> {
  const leaf = { leaf_version: LEAF_VERSION, kind: 'key', kid, event, at } as const
  await appendLeaf(trx, since === undefined ? leaf : { ...leaf, since })
}
