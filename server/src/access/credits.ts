// docs/decisions/0243
import type { Kysely } from 'kysely'
import { type Change, insertion, makeChanges, updating } from '../database/changes.ts'
import type { CreditMove, Database, WorkspacesTable } from '../database/schema.ts'
import type { SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import { eventInsertions, type LastEvent, type NewEvent } from '../audit/audit-trail.ts'

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

type Changes = readonly [CreditChange, ...CreditChange[]]

/** The same for several changes of one kind and amount in one workspace: all or none. The events need not be one for each. */
export async function moveEach(
  trx: Kysely<Database>,
  changes: Changes,
  events: readonly NewEvent[],
): Promise<boolean> {
  const [moved] = (await makeChanges<MovedCredits>(trx, [creditUpdate(changes, events.length)])).rows
  if (moved === undefined) return false
  const recorded = eventInsertions(changes[0].workspaceId, events, moved)
  await makeChanges(trx, [ledgerInsertion(changes, moved), ...recorded])
  return true
}

/** What `creditUpdate` returns. */
export type MovedCredits = Pick<WorkspacesTable, 'ledger_entries' | 'credits_available'> & LastEvent

/** Changes the sums in the workspace, and takes the numbers of ledger entries and events. Affects no row if there are not enough credits. */
export function creditUpdate(changes: Changes, events: number): Change {
  const [{ workspaceId, kind, amount }] = changes
  const [available, held] = MOVES[kind].map((sign) => sign * amount * changes.length) as [number, number]
  return updating(
    `update workspaces set credits_available = credits_available + ?, credits_held = credits_held + ?,
      ledger_entries = ledger_entries + ?, audit_events = audit_events + ?
      where workspace_id = ? and credits_available >= ? and credits_held >= ?`,
    [available, held, changes.length, events, workspaceId, -available, -held],
    'ledger_entries, credits_available, audit_events, audit_head',
  )
}

/** The ledger entries of changes whose credits have moved. */
export function ledgerInsertion(changes: Changes, moved: MovedCredits): Change {
  const [{ workspaceId, kind, amount }] = changes
  const [available, held] = MOVES[kind].map((sign) => sign * amount) as [number, number]
  return insertion(
    'credit_ledger',
    changes.map(({ submissionId, note, at }, index) => {
      const later = changes.length - 1 - index
      return {
        workspace_id: workspaceId,
        sequence: moved.ledger_entries - later,
        kind,
        available_change: available,
        held_change: held,
        available_after: moved.credits_available - available * later,
        submission_id: submissionId ?? null,
        note: note ?? null,
        at,
      }
    }),
  )
}
