import { createHash } from 'node:crypto'
import {
  BOUNDARY,
  concernsKit,
  CUSTODY_STATEMENT,
  CUSTODY_VERSION,
  type CustodyRecord,
  type Receipt,
} from '@kitseal/kit'
import type { CustodyEvent } from '@kitseal/binder'
import { type AuditRange, readEvents } from '../audit/audit-queries.ts'
import { currentHead } from '../audit/audit-heads.ts'
import type { AuditAction } from '../audit/audit-trail.ts'
import { EVENT_TYPES } from '../audit/event-types.ts'
import { namesOf } from '../audit/named-events.ts'
import { exportedEvent } from '../database/audit-chain.ts'
import type { AuditEventsTable } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import { timestamp } from '../runtime/clock.ts'
import { Refusal } from '../refusals.ts'
import type { Context } from './context.ts'
import { kitLog } from './kit-log.ts'
import type { KitRecord } from './kit-queries.ts'

export type CustodyContext = Pick<Context, 'clock' | 'db' | 'transparencyLog'>

export interface Custody {
  readonly record: CustodyRecord
  /** The events in words. */
  readonly events: readonly CustodyEvent[]
}

/** Every event of a kit up to the head of the audit log of its workspace. */
export async function custodyOf(
  ctx: CustodyContext,
  kit: KitRecord,
  workspaceId: WorkspaceId,
): Promise<Custody> {
  const log = await kitLog(ctx, kit.kitId)
  if (log === null)
    throw new Refusal('store_unavailable', 'The transparency log is not available. Try again.')
  const { job_id, created_at, submission_id, series } = await ctx.db
    .selectFrom('jobs')
    .leftJoin('submissions', 'submissions.job_id', 'jobs.job_id')
    .select(['jobs.job_id', 'jobs.created_at', 'submissions.submission_id', 'submissions.series'])
    .where('jobs.kit_id', '=', kit.kitId)
    .executeTakeFirstOrThrow()
  const chosen = await ctx.db
    .selectFrom('share_kits')
    .select('share_id')
    .where('kit_id', '=', kit.kitId)
    .execute()
  const rooms = await ctx.db
    .selectFrom('shares')
    .select('share_id')
    .where('workspace_id', '=', workspaceId)
    .where('series', '=', series)
    .execute()
  const shares = [...chosen, ...rooms]
  const head = await currentHead(ctx, workspaceId)
  const rows: AuditEventsTable[] = []
  for (const subject of [kit.kitId, job_id, submission_id, ...shares.map(({ share_id }) => share_id)])
    if (subject !== null)
      rows.push(...(await eventsAbout(ctx, workspaceId, { subject, since: created_at }, head.count)))
  const ids = { kit_id: kit.kitId, job_id, submission_id }
  const inOrder = rows
    // A room has events about other kits.
    .filter(({ subject, details }) => concernsKit({ subject, details: JSON.parse(details) as unknown }, ids))
    .toSorted((a, b) => Number(a.sequence) - Number(b.sequence))
  const receipt = JSON.parse(kit.receipt) as Receipt
  const record: CustodyRecord = {
    custody_version: CUSTODY_VERSION,
    kit_id: kit.kitId,
    job_id,
    submission_id,
    issuer: receipt.issuer,
    issued_at: kit.issuedAt,
    receipt_sha256: createHash('sha256').update(kit.receipt).digest('hex'),
    manifest_sha256: receipt.manifest_sha256,
    kit_zip_sha256: kit.zipSha256,
    log_index: log.index,
    made_at: timestamp(ctx.clock.now()),
    events: inOrder.map(exportedEvent),
    head,
    statement: CUSTODY_STATEMENT,
    boundary: BOUNDARY,
  }
  const names = await namesOf(ctx.db, workspaceId, inOrder)
  return { record, events: inOrder.map((row) => inWords(row, names(row).by)) }
}

const PAGE = 1000

/** By the index of subjects, a page at a time. */
async function eventsAbout(
  { db }: CustodyContext,
  workspaceId: WorkspaceId,
  { subject, since }: { readonly subject: string; readonly since: string },
  newest: number,
): Promise<readonly AuditEventsTable[]> {
  const found: AuditEventsTable[] = []
  // The index has no creations of jobs, so that those of a job are looked for from its time on.
  const range = subject.startsWith('job_') ? { subject, since } : { subject }
  for (let after = 0; ;) {
    const page: AuditRange = { ...range, after, before: newest + 1, order: 'asc', limit: PAGE }
    const rows = await readEvents(db, workspaceId, page)
    found.push(...rows)
    if (rows.length < PAGE) return found
    after = Number(rows.at(-1)?.sequence)
  }
}

const ACTORS: Readonly<Record<AuditEventsTable['actor'], string>> = {
  key: 'API key',
  member: 'member',
  operator: 'the operator of the service',
  service: 'the service',
  link: 'someone with a link',
  anonymous: 'someone with the public address',
}

function inWords(row: AuditEventsTable, name: string | null): CustodyEvent {
  const details = Object.entries(JSON.parse(row.details) as Readonly<Record<string, unknown>>).filter(
    ([, value]) => value !== null && value !== '',
  )
  const id = row.key_id ?? row.member_id
  return {
    seq: Number(row.sequence),
    at: row.at,
    action: row.action,
    what: EVENT_TYPES[row.action as AuditAction].summary,
    by: [ACTORS[row.actor], name, id === null || id === name ? null : `(${id})`]
      .filter((part) => part !== null)
      .join(' '),
    details: details.map(([key, value]) => `${key}: ${String(value)}`).join(', '),
    hash: row.hash,
  }
}
