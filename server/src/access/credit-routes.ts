import { Type } from 'typebox'
import type { CreditLedgerTable } from '../database/schema.ts'
import { cutPage, type PageOf } from '../database/unit.ts'
import { member, pages } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Count, DateTime, NullableString, OneOf } from '../http/schema-parts.ts'
import type { WorkspaceId } from '../runtime/identifiers.ts'

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
    available: member(
      Type.Union([Count(), Type.Null()], {
        description: 'Credits that can be spent. Null: unlimited, because the operator gave no number.',
      }),
      ({ available }: Account) => available,
    ),
    held: member(Count('Credits held for submissions in progress.'), ({ held }: Account) => held),
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
      const { credits_unlimited, available, held } = await db
        .selectFrom('workspaces')
        .select(['credits_available as available', 'credits_held as held', 'credits_unlimited'])
        .where('workspace_id', '=', workspace_id)
        .executeTakeFirstOrThrow()
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
