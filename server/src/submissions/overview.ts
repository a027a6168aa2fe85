// docs/decisions/0450
import { sql } from 'kysely'
import { type Clock, timestamp } from '../runtime/clock.ts'
import type { Db } from '../database/schema.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'
import type { Overview } from './summary-schemas.ts'

const DAY_MS = 24 * 60 * 60_000
/** The most rows of one kind. The pages behind the overview have all of them. */
const MAX_LISTED = 5
const FAILED_SINCE_DAYS = 30
const SOON_DAYS = 7
const EVIDENCE_SOON_DAYS = 30

export interface OverviewOf {
  readonly workspaceId: WorkspaceId
  /** Of the plan. Undefined if evidence is kept indefinitely. */
  readonly retentionDays: number | undefined
  /** API keys are for those who manage them. */
  readonly withKeys: boolean
}

/** What needs attention in a workspace. */
export async function overview(db: Db, clock: Clock, of: OverviewOf): Promise<Omit<Overview, 'boundary'>> {
  const queries = overviewQueries(db, clock.now(), of)
  const expiring = await queries.evidence?.executeTakeFirst()
  return {
    is_empty: (await queries.any.executeTakeFirst()) === undefined,
    failed: await queries.failed.execute(),
    requests: await queries.requests.execute(),
    shares: await queries.shares.execute(),
    keys: of.withKeys ? await queries.keys.execute() : [],
    evidence:
      expiring === undefined || of.retentionDays === undefined || expiring.first === null
        ? null
        : {
            kits: Number(expiring.count),
            first_at: timestamp(Date.parse(expiring.first) + of.retentionDays * DAY_MS),
          },
  }
}

/** Each reads an index, and no more of it than it lists or counts. */
export function overviewQueries(db: Db, now: number, { workspaceId, retentionDays }: OverviewOf) {
  const inDays = (days: number): string => timestamp(now + days * DAY_MS)
  return {
    any: db.selectFrom('submissions').select('sequence').where('workspace_id', '=', workspaceId).limit(1),
    failed: db
      .selectFrom('jobs')
      .innerJoin('submissions', 'submissions.job_id', 'jobs.job_id')
      .select(['submissions.submission_id', 'submissions.label', 'jobs.updated_at as failed_at'])
      .where('jobs.workspace_id', '=', workspaceId)
      .where('jobs.status', '=', sql.lit('FAIL'))
      .where('jobs.updated_at', '>=', inDays(-FAILED_SINCE_DAYS))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('audit_events')
              .select('audit_events.sequence')
              .whereRef('audit_events.subject', '=', 'submissions.submission_id')
              // Names the index, which has no creations of jobs.
              .where('audit_events.action', '<>', sql.lit('job.created'))
              .where('audit_events.action', '=', 'submission.resubmitted'),
          ),
        ),
      )
      .orderBy('jobs.updated_at', 'desc')
      .limit(MAX_LISTED),
    requests: db
      .selectFrom('requests')
      .select(['request_id as evidence_request_id', 'title', 'due_at'])
      .$narrowType<{ due_at: string }>()
      .where('workspace_id', '=', workspaceId)
      .where('closed_at', 'is', null)
      .where('due_at', '<=', inDays(SOON_DAYS))
      .orderBy('due_at')
      .limit(MAX_LISTED),
    shares: db
      .selectFrom('shares')
      .innerJoin('jobs', 'jobs.kit_id', 'shares.kit_id')
      .innerJoin('submissions', 'submissions.job_id', 'jobs.job_id')
      .select(['shares.share_id', 'submissions.label', 'shares.expires_at'])
      .where('shares.workspace_id', '=', workspaceId)
      .where('shares.revoked_at', 'is', null)
      .where('shares.expires_at', '>', inDays(0))
      .where('shares.expires_at', '<=', inDays(SOON_DAYS))
      .orderBy('shares.expires_at')
      .limit(MAX_LISTED),
    keys: db
      .selectFrom('api_keys')
      .select(['key_id', 'label', 'expires_at'])
      .$narrowType<{ expires_at: string }>()
      .where('workspace_id', '=', workspaceId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', inDays(0))
      .where('expires_at', '<=', inDays(SOON_DAYS))
      .orderBy('expires_at')
      .limit(MAX_LISTED),
    evidence:
      retentionDays === undefined
        ? undefined
        : db
            .selectFrom('jobs')
            .select(({ fn }) => [fn.countAll().as('count'), fn.min('updated_at').as('first')])
            .where('workspace_id', '=', workspaceId)
            .where('status', '=', sql.lit('ISSUED'))
            .where('updated_at', '<=', inDays(EVIDENCE_SOON_DAYS - retentionDays))
            .where((eb) =>
              eb.not(
                eb.exists(
                  eb
                    .selectFrom('submissions')
                    .innerJoin('holds', 'holds.submission_id', 'submissions.submission_id')
                    .select('holds.reason')
                    .whereRef('submissions.job_id', '=', 'jobs.job_id'),
                ),
              ),
            ),
  }
}
