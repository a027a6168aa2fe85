// docs/decisions/0243
import type { Kysely } from 'kysely'
import type { CreditMove, Database } from '../database/schema.ts'
import type { SubmissionId, WorkspaceId } from '../identifiers.ts'
import { insertEvents, type NewEvent } from './audit-trail.ts'

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
export function moveCredits(trx: Kysely<Database>, change: CreditChange, event?: NewEvent): Promise<boolean> {
  return moveEach(trx, [change], event === undefined ? [] : [event])
}

/** The same for several changes of one kind and amount in one workspace: all or none. The events need not be one for each. */
export async function moveEach(
  trx: Kysely<Database>,
  changes: readonly [CreditChange, ...CreditChange[]],
  events: readonly NewEvent[],
): Promise<boolean> {
  const [{ workspaceId, kind, amount }] = changes
  const [available, held] = MOVES[kind].map((sign) => sign * amount) as [number, number]
  const count = changes.length
  const workspace = await trx
    .updateTable('workspaces')
    .set((eb) => ({
      credits_available: eb('credits_available', '+', available * count),
      credits_held: eb('credits_held', '+', held * count),
      ledger_entries: eb('ledger_entries', '+', count),
      audit_events: eb('audit_events', '+', events.length),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('credits_available', '>=', -available * count)
    .where('credits_held', '>=', -held * count)
    .returning(['ledger_entries', 'credits_available', 'audit_events', 'audit_head'])
    .executeTakeFirst()
  if (workspace === undefined) return false
  const { ledger_entries, credits_available } = workspace
  await trx
    .insertInto('credit_ledger')
    .values(
      changes.map(({ submissionId, note, at }, index) => ({
        workspace_id: workspaceId,
        sequence: ledger_entries - (count - 1 - index),
        kind,
        available_change: available,
        held_change: held,
        available_after: credits_available - available * (count - 1 - index),
        submission_id: submissionId ?? null,
        note: note ?? null,
        at,
      })),
    )
    .execute()
  if (events.length > 0) await insertEvents(trx, workspaceId, events, workspace)
  return true
}
