import { timestamp } from '../runtime/clock.ts'
import { condemn, type SweepContext } from './condemned-objects.ts'
import { referencedAmong } from './referenced-objects.ts'

/** An object that was stored later than this before it is condemned counts as stored again. */
const REST_MS = 2 * 60 * 1000
const PAGE = 500

/** Condemns what uploads left behind, without waiting for the store to be listed, and forgets what is gone or in use again. */
export async function condemnUnused(ctx: SweepContext, spare: ReadonlySet<string>): Promise<void> {
  const { db, objects, clock } = ctx
  const before = timestamp(clock.now() - REST_MS)
  for (let after = { unused_since: '', submission_id: '', sha256: '' }; ;) {
    const page = await db
      .selectFrom('unused_objects')
      .selectAll()
      .where('unused_since', '<=', before)
      .where((eb) =>
        eb(
          eb.refTuple('unused_since', 'submission_id', 'sha256'),
          '>',
          eb.tuple(after.unused_since, after.submission_id as never, after.sha256),
        ),
      )
      .orderBy('unused_since')
      .orderBy('submission_id')
      .orderBy('sha256')
      .limit(PAGE)
      .execute()
    const referenced = await referencedAmong(db, [...new Set(page.map(({ sha256 }) => sha256))])
    for (const { submission_id, sha256 } of page) {
      if (ctx.isStopping?.() === true) return
      const isKept = referenced.has(sha256) || spare.has(sha256)
      if (!isKept && (await objects.has(sha256))) await condemn(ctx, [sha256])
      else
        await db
          .deleteFrom('unused_objects')
          .where('submission_id', '=', submission_id)
          .where('sha256', '=', sha256)
          .execute()
    }
    after = page.at(-1) ?? after
    if (page.length < PAGE) return
  }
}
