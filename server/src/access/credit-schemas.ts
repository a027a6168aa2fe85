import { type Static, Type } from 'typebox'
import { ListOf } from '../http/list.ts'
import { DateTime, NullableString } from '../http/schema-parts.ts'
import { OneOf } from '../http/text-schemas.ts'

export const CreditAccount = Type.Object(
  {
    workspace_id: Type.String(),
    available: Type.Integer({ minimum: 0, description: 'Credits that can be spent.' }),
    held: Type.Integer({ minimum: 0, description: 'Credits held for submissions in progress.' }),
    ...ListOf(
      Type.Object({
        seq: Type.Integer({ minimum: 1 }),
        kind: OneOf(['grant', 'hold', 'capture', 'release']),
        available_change: Type.Integer(),
        held_change: Type.Integer(),
        available_after: Type.Integer({ minimum: 0 }),
        submission_id: NullableString('The submission that the credit was held, captured or released for.'),
        note: NullableString('A note by the operator.'),
        created_at: DateTime(),
      }),
      'The ledger, newest first. Append-only. The changes add up to `available` and `held`.',
    ),
  },
  {
    $id: 'CreditAccount',
    title: 'CreditAccount',
    description: 'The credits of a workspace and their ledger.',
  },
)

export type CreditAccount = Static<typeof CreditAccount>
