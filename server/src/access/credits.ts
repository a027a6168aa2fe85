import type { Kysely } from 'kysely'
import { inOneRoundTrip } from '../database/in-one-round-trip.ts'
import type { CreditMove, Database } from '../database/schema.ts'
import type { SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import { eventInsertions, type NewEvent } from '../audit/audit-trail.ts'

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

/**
 * Moves credits and records ledger entries and events, for changes of one kind and amount in one workspace: all or none. Returns false
 * without changes if there are not enough: the update is conditional, so concurrent callers cannot overspend.
 */
export async function moveCredits(
  trx: Kysely<Database>,
  changes: readonly [CreditChange, ...CreditChange[]],
  events: readonly NewEvent[] = [],
): Promise<boolean> {
  const [{ workspaceId, kind, amount }] = changes
  const [available, held] = MOVES[kind].map((sign) => sign * amount) as [number, number]
  const [allAvailable, allHeld] = [available * changes.length, held * changes.length]
  const moved = await trx
    .updateTable('workspaces')
    .set((eb) => ({
      credits_available: eb
        .case()
        .when('credits_unlimited', '=', 1)
        .then(eb.ref('credits_available'))
        .else(eb('credits_available', '+', allAvailable))
        .end(),
      credits_held: eb('credits_held', '+', allHeld),
      ledger_entries: eb('ledger_entries', '+', changes.length),
      audit_events: eb('audit_events', '+', events.length),
    }))
    .where('workspace_id', '=', workspaceId)
    .where((eb) => eb.or([eb('credits_unlimited', '=', 1), eb('credits_available', '>=', -allAvailable)]))
    .where('credits_held', '>=', -allHeld)
    .returning(['ledger_entries', 'credits_available', 'credits_unlimited', 'audit_events', 'audit_head'])
    .executeTakeFirst()
  if (moved === undefined) return false
  const change = moved.credits_unlimited === 1 ? 0 : available
  const entries = changes.map(({ submissionId, note, at }, index) => {
    const later = changes.length - 1 - index
    return {
      workspace_id: workspaceId,
      sequence: moved.ledger_entries - later,
      kind,
      available_change: change,
      held_change: held,
      available_after: moved.credits_available - change * later,
      submission_id: submissionId ?? null,
      note: note ?? null,
      at,
    }
  })
  await inOneRoundTrip(trx, [
    trx.insertInto('credit_ledger').values(entries),
    ...eventInsertions(trx, events, moved),
  ])
  return true
}
