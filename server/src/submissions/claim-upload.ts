import { randomBytes } from 'node:crypto'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { PartialProgress } from '../objects/resumable-objects.ts'
import { Refusal } from '../refusals.ts'
import type { UploadRow } from './upload-queries.ts'

const CLAIM_MS = 20_000
const RENEW_EVERY_MS = 5000

export interface ClaimContext {
  readonly db: Db
  readonly clock: Clock
  /** The name of this process, so that its claims end with it. */
  readonly node: string
}

/** The right to write an upload. Every write checks that no other request has taken it over. */
export type UploadClaim = Awaited<ReturnType<typeof claimUpload>>

/** Claims an upload at this offset. Of several requests, at any node, one gets it. */
export async function claimUpload(ctx: ClaimContext, upload: UploadRow) {
  const { db, clock } = ctx
  const { upload_id } = upload
  const claim = `${ctx.node}.${randomBytes(6).toString('hex')}`
  const until = (): string => timestamp(clock.now() + CLAIM_MS)
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ claim, claimed_until: until() })
    .where('upload_id', '=', upload_id)
    .where('offset_bytes', '=', upload.offset_bytes)
    .where('finished_at', 'is', null)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or([eb('claim', 'is', null), eb('claimed_until', '<=', timestamp(clock.now()))]))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw inProgress()

  const mine = () =>
    db.updateTable('resumable_uploads').where('upload_id', '=', upload_id).where('claim', '=', claim)
  const save = async (values: Partial<UploadRow>): Promise<void> => {
    const saved = await mine()
      .set({ ...values, claimed_until: until() })
      .executeTakeFirst()
    if (saved.numUpdatedRows !== 1n) throw inProgress()
  }
  // If the database is unavailable, the next save fails too.
  const timer = setInterval(() => void save({}).catch(() => {}), RENEW_EVERY_MS).unref()
  return {
    saveProgress: ({ offset, state }: PartialProgress): Promise<void> =>
      save({ offset_bytes: offset, state }),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await mine()
        .set({ claim: null, claimed_until: null })
        .execute()
        // It ends by itself.
        .catch(() => {})
    },
  }
}

const inProgress = (): Refusal =>
  new Refusal('upload_in_progress', 'Another request is writing this upload. Wait until it ends.', {
    headers: { 'retry-after': '1' },
  })

/** Ends the claims of processes that have ended. */
export async function releaseClaimsOf(db: Db, isGone: (owner: string) => boolean): Promise<void> {
  const claimed = await db
    .selectFrom('resumable_uploads')
    .select(['upload_id', 'claim'])
    .where('claim', 'is not', null)
    .execute()
  for (const { upload_id, claim } of claimed) {
    if (claim === null || !isGone(claim)) continue
    await db
      .updateTable('resumable_uploads')
      .set({ claim: null, claimed_until: null })
      .where('upload_id', '=', upload_id)
      .where('claim', '=', claim)
      .execute()
  }
}
