import { workspaceRow } from '../database/questions.ts'
import { type Change, inOneRoundTrip } from '../database/statements.ts'
import type { CreditMove, CreditLedgerTable, Db } from '../database/schema.ts'
import type { SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import { eventInsertions, type NewEvent } from '../audit/audit-trail.ts'
import { Type } from 'typebox'
import { cutPage, type PageOf } from '../database/unit.ts'
import { member, pages } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Count, DateTime, NullableString, OneOf, Nullable } from '../http/schema-parts.ts'

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
 * without changes if there are not enough: the update is conditional, so concurrent callers cannot overspend. What is `also` changed
 * needs no statement of its own.
 */
export async function moveCredits(
  trx: Db,
  changes: readonly [CreditChange, ...CreditChange[]],
  events: readonly NewEvent[] = [],
  also: readonly Change[] = [],
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
    ...also,
  ])
  return true
}

interface Account extends PageOf<CreditLedgerTable> {
  readonly workspace_id: WorkspaceId
  readonly available: number | null
  readonly held: number
}

const LedgerEntry = {
  item: Type.Object({
    seq: Type.Integer({ minimum: 1 }),
    kind: OneOf(['grant', 'hold', 'capture', 'release']),
    available_change: Type.Integer(),
    held_change: Type.Integer(),
    available_after: Count(),
    submission_id: NullableString('The submission that the credit was held, captured or released for.'),
    note: NullableString('A note by the operator.'),
    created_at: DateTime(),
  }),
  showItem: (row: CreditLedgerTable) => {
    const { kind, available_change, held_change, available_after, submission_id, note } = row
    const changes = { available_change, held_change, available_after }
    return { seq: row.sequence, kind, ...changes, submission_id, note, created_at: row.at }
  },
}

const CreditAccount = pages(
  'CreditAccount',
  'The credits of a workspace and their ledger.',
  'credits',
  LedgerEntry,
  {
    workspace_id: member(Type.String(), (account: Account) => account.workspace_id),
    available: Nullable(
      Count(),
      'Credits that can be spent. Null: unlimited, because the operator gave no number.',
    ),
    held: Count('Credits held for submissions in progress.'),
  },
  'The ledger, newest first. Append-only. The changes add up to `available` and `held`.',
)

export const creditRoutes = [
  route('getCredits', 'GET /v1/credits', {
    access: { scope: 'read', role: 'viewer' },
    summary: 'Get credits and the credit ledger',
    description: 'What is available and held, and the ledger, newest entry first.',
    returns: CreditAccount,
    async read({ db, workspaceId: workspace_id }, { page }) {
      const workspace = await workspaceRow(db, workspace_id)
      const { credits_unlimited, credits_available: available, credits_held: held } = workspace
      const rows = await db
        .selectFrom('credit_ledger')
        .selectAll()
        .where('workspace_id', '=', workspace_id)
        .where('sequence', '<', page.before)
        .orderBy('sequence', 'desc')
        .limit(page.limit + 1)
        .execute()
      const account = { workspace_id, available: credits_unlimited === 1 ? null : available, held }
      return { ...account, ...cutPage(rows, page.limit, ({ sequence }) => sequence) }
    },
  }),
]
