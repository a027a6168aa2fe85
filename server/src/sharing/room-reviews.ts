import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { ShareReviewsTable, SharesTable } from '../database/share-schema.ts'
import type { ShareId } from '../runtime/identifiers.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import { type Author, nextRemark, type Place } from './room-remarks.ts'
import type { RoomReviewList } from './room-schemas.ts'

/**
 * Records that a reviewer says they have reviewed a kit, a file or an item, or takes that back. It is their own statement.
 * Returns whether anything changed.
 */
export async function markReviewed(
  trx: Db,
  clock: Clock,
  share: SharesTable,
  { kitId, path, itemId }: Place,
  isReviewed: boolean,
  author: Author,
): Promise<boolean> {
  const { actor, name, basis } = author
  const { share_id, workspace_id: workspaceId } = share
  const at = timestamp(clock.now())
  // Mail servers ignore the case of an address.
  const reviewer = basis === 'recipient' ? name.toLowerCase() : name
  const mark = { share_id, kit_id: kitId, path: path ?? '', item_id: itemId ?? '', reviewer }
  const given = await trx
    .selectFrom('share_reviews')
    .select('sequence')
    .where((eb) => eb.and({ ...mark, basis }))
    .executeTakeFirst()
  if ((given !== undefined) === isReviewed) return false
  const changed = isReviewed
    ? (
        await trx
          .insertInto('share_reviews')
          .values({ ...mark, basis, sequence: await nextRemark(trx, share, author), at })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
      ).numInsertedOrUpdatedRows
    : (
        await trx
          .deleteFrom('share_reviews')
          .where((eb) => eb.and(mark))
          .where('basis', '=', basis)
          .executeTakeFirst()
      ).numDeletedRows
  if (changed !== 1n) return false
  const details = {
    kit_id: kitId,
    ...(path !== null && { name: path }),
    ...(itemId !== null && { item: itemId }),
    recipient: basis === 'recipient' ? reviewer : null,
  }
  const action = isReviewed ? 'share.reviewed' : 'share.review_withdrawn'
  await recordEvent(trx, { workspaceId, actor, subject: share_id, action, details, at })
  return true
}

export const reviewsOf = (db: Db, share: ShareId) =>
  db.selectFrom('share_reviews').selectAll().where('share_id', '=', share)

export const reviewRecord = (row: ShareReviewsTable): RoomReviewList['data'][number] => ({
  kit_id: row.kit_id,
  path: row.path === '' ? null : row.path,
  item_id: row.item_id === '' ? null : row.item_id,
  reviewer: row.reviewer,
  reviewer_basis: row.basis,
  created_at: row.at,
})
