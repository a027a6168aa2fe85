// docs/decisions/0243
import type { Kysely } from 'kysely'
import type { CreditMove, Database } from '../database/schema.ts'
import type { SubmissionId, WorkspaceId } from '../identifiers.ts'
import { insertEvent, type NewEvent } from './audit-trail.ts'

/** The effect of each move on available and held credits. */
const MOVES: Readonly<Record<CreditMove, readonly [available: number, held: number]>> = {
  grant: [1, 0],
  hold: [-1, 1],
  capture: [0, -1],
  release: [1, -1],
}

export interface CreditChange {
  readonly workspaceId: WorkspaceId
  readonly kind: CreditMove
  readonly amount: number
  readonly submissionId?: SubmissionId
  readonly note?: string
  readonly at: string
}

/** Moves credits and records ledger entry and event. Returns false without changes if there are not enough: the update is conditional, so concurrent callers cannot overspend. */
export async function moveCredits(
  trx: Kysely<Database>,
  change: CreditChange,
  event?: NewEvent,
): Promise<boolean> {
  const [available, held] = MOVES[change.kind].map((sign) => sign * change.amount) as [number, number]
  const workspace = await trx
    .updateTable('workspaces')
    .set((eb) => ({
      credits_available: eb('credits_available', '+', available),
      credits_held: eb('credits_held', '+', held),
      ledger_entries: eb('ledger_entries', '+', 1),
      audit_events: eb('audit_events', '+', event === undefined ? 0 : 1),
    }))
    .where('workspace_id', '=', change.workspaceId)
    .where('credits_available', '>=', -available)
    .where('credits_held', '>=', -held)
    .returning(['ledger_entries', 'credits_available', 'audit_events', 'audit_head'])
    .executeTakeFirst()
  if (workspace === undefined) return false
  await trx
    .insertInto('credit_ledger')
    .values({
      workspace_id: change.workspaceId,
      sequence: workspace.ledger_entries,
      kind: change.kind,
      available_change: available,
      held_change: held,
      available_after: workspace.credits_available,
      submission_id: change.submissionId ?? null,
      note: change.note ?? null,
      at: change.at,
    })
    .execute()
  if (event !== undefined) await insertEvent(trx, event, workspace)
  return true
}
