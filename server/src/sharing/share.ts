import { BOUNDARY, type Receipt } from '@kitseal/kit/internal'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { Db } from '../database/schema.ts'
import type { Mail } from '../deliveries/mail.ts'
import type { SharesTable } from '../database/share-schema.ts'
import type { KitId } from '../runtime/identifiers.ts'
import type { Share } from './share-schemas.ts'

export interface ShareContext extends Context {
  readonly mail: Mail
  /** Known once the service listens. */
  issuer(): string
}

/** With the first of the kits that were chosen, which for the share of one kit is that kit. */
export type ShareRow = SharesTable & { readonly kit_id: KitId | null; readonly receipt: string | null }

export type ShareStatus = Share['status']

export function statusOf(row: SharesTable, clock: Clock): ShareStatus {
  if (row.revoked_at !== null) return 'revoked'
  if (row.expires_at <= timestamp(clock.now())) return 'expired'
  return row.max_downloads !== null && row.downloads >= row.max_downloads ? 'exhausted' : 'active'
}

export const sharedPaths = ({ paths }: Pick<SharesTable, 'paths'>): readonly string[] | null =>
  paths === null ? null : (JSON.parse(paths) as readonly string[])

/** As the API shows it, without its links. */
export function shareRecord(row: ShareRow, clock: Clock, recipients: Share['recipients'] = []): Share {
  return {
    share_id: row.share_id,
    kit_id: row.kit_id ?? '',
    label: labelOf(row),
    paths: sharedPaths(row),
    ...linkedRecord(row, clock, recipients),
  }
}

/** What shares and rooms have in common. */
export function linkedRecord(row: SharesTable, clock: Clock, recipients: Share['recipients']) {
  return {
    status: statusOf(row, clock),
    url: null,
    note: row.note,
    recipients,
    has_password: row.password !== null,
    max_downloads: row.max_downloads,
    notify_downloads: row.notify_downloads === 1,
    downloads: row.downloads,
    accesses: row.accesses,
    last_access_at: row.last_access_at,
    created_at: row.created_at,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    boundary: BOUNDARY,
  }
}

/** The title of a room, and the label of a kit. */
export const labelOf = ({ title, receipt }: ShareRow): string =>
  title ?? (JSON.parse(receipt ?? '{}') as Partial<Receipt>).scope ?? ''

export const shareUrl = (issuer: string, token: string): string => `${issuer.replace(/\/+$/, '')}/s/${token}`

/** Shares with the receipts of their kits. */
export const sharesWithReceipts = (db: Db) =>
  db
    .selectFrom('shares')
    .leftJoin('share_kits', (join) =>
      join.onRef('share_kits.share_id', '=', 'shares.share_id').on('share_kits.position', '=', 0),
    )
    .leftJoin('kits', 'kits.kit_id', 'share_kits.kit_id')
    .selectAll('shares')
    .select(['share_kits.kit_id', 'kits.receipt'])

/** Visits that can still read files, the one that asks included. */
export const downloadsLeft = (
  { max_downloads, downloads }: Pick<SharesTable, 'max_downloads' | 'downloads'>,
  isVisiting: boolean,
): number | null =>
  max_downloads === null ? null : Math.max(0, max_downloads - downloads) + (isVisiting ? 1 : 0)

export interface SharedKey {
  readonly kid: string
  readonly status: 'active' | 'retired' | 'revoked' | 'unknown'
  readonly revoked_at: string | null
}

/** The key that signed a kit, as it stands now. */
export async function keyOf(db: Db, { public_key_kid: kid }: Receipt): Promise<SharedKey> {
  const key = await db
    .selectFrom('signing_keys')
    .select(['state', 'revoked_at'])
    .where('kid', '=', kid)
    .executeTakeFirst()
  return { kid, status: key?.state ?? 'unknown', revoked_at: key?.revoked_at ?? null }
}
