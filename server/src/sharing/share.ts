import { BOUNDARY, type Receipt } from '@kitseal/kit'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Context } from '../kits/context.ts'
import type { Db } from '../database/schema.ts'
import type { Mail } from '../deliveries/mail.ts'
import type { SharesTable } from '../database/share-schema.ts'
import type { Share } from './share-schemas.ts'

export interface ShareContext extends Context {
  readonly mail: Mail
  /** Known once the service listens. */
  issuer(): string
}

export type ShareRow = SharesTable & { readonly receipt: string }

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
    kit_id: row.kit_id,
    label: labelOf(row),
    status: statusOf(row, clock),
    url: null,
    paths: sharedPaths(row),
    note: row.note,
    recipients,
    has_password: row.password !== null,
    max_downloads: row.max_downloads,
    downloads: row.downloads,
    accesses: row.accesses,
    last_access_at: row.last_access_at,
    created_at: row.created_at,
    expires_at: row.expires_at,
    revoked_at: row.revoked_at,
    boundary: BOUNDARY,
  }
}

export const labelOf = ({ receipt }: ShareRow): string => (JSON.parse(receipt) as Receipt).scope

export const shareUrl = (issuer: string, token: string): string => `${issuer.replace(/\/+$/, '')}/s/${token}`

/** Shares with the receipts of their kits. */
export const sharesWithReceipts = (db: Db) =>
  db
    .selectFrom('shares')
    .innerJoin('kits', 'kits.kit_id', 'shares.kit_id')
    .selectAll('shares')
    .select('kits.receipt')
