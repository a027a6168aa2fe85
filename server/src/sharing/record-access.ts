// docs/decisions/0402
import { timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { AccessKind, SharesTable } from '../database/share-schema.ts'
import { transact } from '../database/transact.ts'
import { addressGroup } from '../http/address-group.ts'
import type { LinkId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import { recordEvent } from '../audit/audit-trail.ts'
import type { ShareContext } from './share.ts'

export interface Access {
  readonly share: SharesTable
  readonly linkId: LinkId
  readonly kind: AccessKind
  readonly name: string | null
  /** Full address of the client. Only its network is stored. */
  readonly ip: string
}

type Recorder = Pick<ShareContext, 'db' | 'clock'>

/** The same view with the same link from the same network is recorded once in this time. */
const SAME_VIEW_MS = 10 * 60_000
/** Later ranges of one file from the same network belong to the same download. */
const SAME_DOWNLOAD_MS = 60 * 60_000

/** Records that the page was opened, or that it read something. */
export async function recordView({ db, clock }: Recorder, access: Access): Promise<void> {
  const at = timestamp(clock.now())
  if (await isRecorded(db, access, timestamp(clock.now() - SAME_VIEW_MS))) return
  await transact(db, async (trx) => {
    const counted = await trx
      .updateTable('shares')
      .set((eb) => ({ accesses: eb('accesses', '+', 1), last_access_at: at }))
      .where('share_id', '=', access.share.share_id)
      .returning('accesses')
      .executeTakeFirstOrThrow()
    await insertAccess(trx, access, counted.accesses, at)
  })
}

/**
 * Counts a download before its first byte is sent. The limit is checked by the statement that counts, so that concurrent
 * downloads cannot exceed it. A range that continues a counted download is free.
 */
export async function countDownload(
  { db, clock }: Recorder,
  access: Access & { readonly name: string },
  start: number,
): Promise<void> {
  const { share, linkId, name } = access
  const at = timestamp(clock.now())
  if (start > 0 && (await isRecorded(db, access, timestamp(clock.now() - SAME_DOWNLOAD_MS)))) return
  await transact(db, async (trx) => {
    const counted = await trx
      .updateTable('shares')
      .set((eb) => ({
        downloads: eb('downloads', '+', 1),
        accesses: eb('accesses', '+', 1),
        last_access_at: at,
      }))
      .where('share_id', '=', share.share_id)
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('max_downloads', 'is', null), eb('downloads', '<', eb.ref('max_downloads'))]))
      .returning('accesses')
      .executeTakeFirst()
    if (counted === undefined) throw shareExhausted()
    await insertAccess(trx, access, counted.accesses, at)
    const event = { workspaceId: share.workspace_id, actor: { is: 'link', linkId }, at } as const
    const details = { kit_id: share.kit_id, name }
    await recordEvent(trx, { ...event, subject: share.share_id, details, action: 'share.downloaded' })
  })
}

export const shareExhausted = (): Refusal =>
  new Refusal(
    'share_exhausted',
    'The download limit of this share is reached. Ask the sender for a new link.',
  )

async function isRecorded(db: Db, access: Access, since: string): Promise<boolean> {
  const row = await db
    .selectFrom('share_accesses')
    .select('sequence')
    .where('share_id', '=', access.share.share_id)
    .where('kind', '=', access.kind)
    .where((eb) => (access.name === null ? eb('name', 'is', null) : eb('name', '=', access.name)))
    .where('address', '=', networkOf(access.ip))
    .where('link_id', '=', access.linkId)
    .where('at', '>', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function insertAccess(
  trx: Db,
  { share, linkId, kind, name, ip }: Access,
  sequence: number,
  at: string,
): Promise<void> {
  await trx
    .insertInto('share_accesses')
    .values({ share_id: share.share_id, sequence, at, kind, name, address: networkOf(ip), link_id: linkId })
    .execute()
}

/** Enough to tell an office from a stranger, not enough to single out a person: 203.0.113.0/24, 2001:db8:7::/48. */
export function networkOf(ip: string): string {
  const group = addressGroup(ip)
  if (!group.includes(':')) return `${group.split('.').slice(0, 3).join('.')}.0/24`
  return `${group.split(':').slice(0, 3).join(':')}::/48`
}
