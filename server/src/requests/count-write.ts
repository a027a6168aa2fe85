import { countToday, secondsUntilTomorrow } from '../database/daily-counts.ts'
import type { Db } from '../database/schema.ts'
import { Refusal } from '../refusals.ts'
import type { Clock } from '../runtime/clock.ts'

interface Counter {
  readonly db: Db
  readonly clock: Clock
}

/** Writes with one link in a day, whether they change anything or not: enough to tick every file, and too few to fill a room. */
const WRITES_PER_DAY = 1000
const COMMENT_BYTES_PER_DAY = 256 * 1024
const PLACE_BYTES_PER_DAY = 1024 * 1024
/** Requests of an upload, of which one file may take many. They are limited by their bytes as well. */
const UPLOADS_PER_DAY = 20_000

/** Before the body is read. It stays counted, whatever comes of it. */
export const countWrite = (counter: Counter, linkId: string): Promise<void> =>
  count(counter, `remarks ${linkId}`, WRITES_PER_DAY)

export const countUpload = (counter: Counter, linkId: string): Promise<void> =>
  count(counter, `uploads ${linkId}`, UPLOADS_PER_DAY)

/** By link, and by the room or request that all of its links write in. */
export async function countComment(
  counter: Counter,
  { linkId, place, text }: { readonly linkId: string; readonly place: string; readonly text: string },
): Promise<void> {
  const sizeBytes = Buffer.byteLength(text)
  await count(counter, `bytes of remarks ${linkId}`, COMMENT_BYTES_PER_DAY, sizeBytes)
  await count(counter, `bytes of remarks ${place}`, PLACE_BYTES_PER_DAY, sizeBytes)
}

async function count({ db, clock }: Counter, what: string, limit: number, by = 1): Promise<void> {
  if (await countToday(db, clock, what, limit, by)) return
  throw new Refusal('rate_limited', 'Too much was written with this link today. Try again tomorrow (UTC).', {
    args: { what: 'writes' },
    headers: { 'retry-after': String(secondsUntilTomorrow(clock)) },
  })
}
