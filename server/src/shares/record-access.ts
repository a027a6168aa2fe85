import { column, type StoredRow, table } from '../database/table.ts'
import type { Reader, Unit } from '../database/unit.ts'
import { addressGroup } from '../http/addresses.ts'
import type { KitId, LinkId, ShareId } from '../runtime/identifiers.ts'
import { Refusal } from '../refusals.ts'
import type { Service } from '../http/route.ts'
import { mailDownload } from './share-mail.ts'
import { type Share, type ShareContext, shares } from './share.ts'

const ACCESS_KINDS = [
  'opened',
  'viewed',
  'downloaded',
  'commented',
  'reviewed',
  'review_withdrawn',
  'password_refused',
] as const
export type AccessKind = (typeof ACCESS_KINDS)[number]

/** The access log of a share. */
export const shareAccesses = table('share_accesses', {
  share_id: column.refersTo<ShareId>('shares (share_id)'),
  sequence: column.integer({ minimum: 1 }),
  created_at: column.created(),
  kind: column.oneOf(...ACCESS_KINDS).doc('A file or kit is viewed when the page verifies or previews it.'),
  kit_id: column.text<KitId>().nullable().doc('The kit that it is about. Null for a room as a whole.'),
  name: column.text().nullable().doc('`kit.zip`, or the path of a file.'),
  /** Truncated. */
  address: column.text().doc('The network of the client: 203.0.113.0/24.'),
  /** The link that was used. */
  link_id: column.text<LinkId>(),
  /** SHA-256 of the visit, if this access was counted as one. */
  visit: column.text().nullable(),
})
  .primaryKey('share_id', 'sequence')
  .fixed('accesses of a share are not changed')

declare module '../database/schema.ts' {
  interface Database {
    readonly share_accesses: StoredRow<typeof shareAccesses>
  }
}

export interface Access {
  readonly share: Share
  readonly linkId: LinkId
  readonly recipient: string | null
  readonly kind: AccessKind
  /** Null for a room as a whole. */
  readonly kitId: KitId | null
  readonly name: string | null
  /** Full address of the client. Only its network is stored. */
  readonly ip: string
}

/** Who has the link acts for the workspace that shares. */
export const linkOf = ({ share, linkId }: Pick<Access, 'share' | 'linkId'>) =>
  ({ workspaceId: share.workspace_id, actor: { is: 'link', linkId } }) as const

/** The same access with the same link from the same network is recorded once in this time. */
const SAME_ACCESS_MS = 10 * 60_000
/** From the access that was counted. */
const VISIT_MS = 60 * 60_000

/** Records that the page was opened, or a password refused. */
export async function recordView({ units }: Service, access: Access): Promise<void> {
  const link = linkOf(access)
  if (await units.read(link, (reader) => isRecorded(reader, access))) return
  await units.write(link, 'record view', async (unit) => {
    await insertAccess(unit, access)
    if (access.kind === 'opened') await recordShareEvent(unit, access, 'share.opened')
  })
}

const recordShareEvent = (
  unit: Unit,
  { share, kitId, recipient }: Access,
  action: 'share.opened' | 'share.downloaded',
  details: { readonly name?: string } = {},
): Promise<number> =>
  unit.record(action, share.share_id, { ...(kitId !== null && { kit_id: kitId }), ...details, recipient })

/** Someone with a link, and their visit. */
interface Visiting extends Pick<Access, 'share' | 'linkId' | 'ip'> {
  /** SHA-256 of the visit in the cookie of the page. Undefined for a program without cookies: each request is a visit. */
  readonly visit: string | undefined
}

/** A file that is read: to download it, or to verify or preview it on the page. */
interface Reading extends Access, Visiting {
  readonly name: string
  /** Offset of the first byte. */
  readonly start: number
  /** Those that one archive has, each with an entry of its own. */
  readonly kitIds: readonly KitId[]
}

/**
 * Counts the visit before the first byte is sent, whichever way a file is read, and once. The limit is checked by the
 * statement that counts, so that concurrent visits cannot exceed it.
 */
export async function recordReading(ctx: ShareContext, reading: Reading): Promise<void> {
  const { units } = ctx
  const { share, name, kind, visit = null } = reading
  const link = linkOf(reading)
  const isKnown = async (reader: Reader): Promise<boolean> =>
    (await isVisiting(reader, reading)) && isRecorded(reader, reading)
  if ((kind === 'viewed' || reading.start > 0) && (await units.read(link, isKnown))) return
  await units.write(link, 'record reading', async (unit) => {
    // Two readings of a new visit wait for each other here, so that one of them counts.
    await unit.update(shares, share.share_id, { last_access_at: unit.at })
    const isCounted = await isVisiting(unit, reading)
    if (!isCounted) await countVisit(unit, share)
    for (const kitId of reading.kitIds) {
      await insertAccess(unit, { ...reading, kitId }, isCounted ? null : visit)
      if (kind === 'downloaded')
        await recordShareEvent(unit, { ...reading, kitId }, 'share.downloaded', { name })
    }
    if (kind === 'downloaded') await mailDownload(unit, ctx, share, reading.recipient)
  })
}

async function countVisit({ db }: Unit, { share_id }: Share): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('shares')
    .set((eb) => ({ downloads: eb('downloads', '+', 1) }))
    .where('share_id', '=', share_id)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('max_downloads', 'is', null), eb('downloads', '<', eb.ref('max_downloads'))]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw shareExhausted()
}

/** Whether this visit was counted, and has not ended. */
export async function isVisiting(reader: Reader, visiting: Visiting): Promise<boolean> {
  const { visit } = visiting
  if (visit === undefined) return false
  return (await recent(reader, visiting, VISIT_MS).where('visit', '=', visit).first()) !== undefined
}

/** For what is read without being counted. */
export async function rejectExhausted({ units }: Service, visiting: Visiting): Promise<void> {
  const { share, linkId } = visiting
  const { max_downloads, downloads } = share
  const isUsedUp = max_downloads !== null && downloads >= max_downloads
  if (isUsedUp && !(await units.read(linkOf({ share, linkId }), (reader) => isVisiting(reader, visiting))))
    throw shareExhausted()
}

const shareExhausted = (): Refusal =>
  new Refusal('share_exhausted', 'The download limit of this share is reached. Ask the sender to raise it.')

async function isRecorded(reader: Reader, access: Access): Promise<boolean> {
  const { kind, name, kitId } = access
  const same = recent(reader, access, SAME_ACCESS_MS).where('kind', '=', kind)
  const found = same.where('name', name === null ? 'is' : '=', name)
  return (await found.where('kit_id', kitId === null ? 'is' : '=', kitId).first()) !== undefined
}

/** Accesses with this link from this network, not longer ago than that. */
const recent = (reader: Reader, { share, linkId, ip }: Pick<Access, 'share' | 'linkId' | 'ip'>, ms: number) =>
  reader
    .rows(shareAccesses, { share_id: share.share_id, link_id: linkId, address: networkOf(ip) })
    .where('created_at', '>', reader.after(-ms))

export async function insertAccess(
  unit: Unit,
  { share, linkId: link_id, kind, kitId: kit_id, name, ip }: Access,
  visit: string | null = null,
): Promise<void> {
  const { share_id } = share
  const { accesses: sequence } = await unit.db
    .updateTable('shares')
    .set((eb) => ({ accesses: eb('accesses', '+', 1), last_access_at: unit.at }))
    .where('share_id', '=', share_id)
    .returning('accesses')
    .executeTakeFirstOrThrow()
  const used = { share_id, sequence, kind, kit_id, name, link_id, visit }
  await unit.insert(shareAccesses, { ...used, address: networkOf(ip) })
}

/** Enough to tell an office from a stranger, not enough to single out a person: 203.0.113.0/24, 2001:db8:7::/48. */
function networkOf(ip: string): string {
  const group = addressGroup(ip)
  if (!group.includes(':')) return `${group.split('.').slice(0, 3).join('.')}.0/24`
  return `${group.split(':').slice(0, 3).join(':')}::/48`
}
