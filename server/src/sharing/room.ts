import type { Clock } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import { listedKits } from './room-kits.ts'
import type { Room } from './room-schemas.ts'
import { linkedRecord, type ShareRow } from './share.ts'

/** A room as the API shows it, without its links. */
export async function roomRecord(
  db: Db,
  clock: Clock,
  row: ShareRow,
  title: string,
  recipients: Room['recipients'],
): Promise<Room> {
  const { open } = await db
    .selectFrom('share_comments')
    .select(({ fn }) => fn.countAll().as('open'))
    .where('share_id', '=', row.share_id)
    .where('state', '=', 'open')
    .where('side', '=', 'reviewer')
    .executeTakeFirstOrThrow()
  return {
    room_id: row.share_id,
    title,
    series: row.series,
    kits: await listedKits(db, row),
    open_questions: Number(open),
    ...linkedRecord(row, clock, recipients),
  }
}
