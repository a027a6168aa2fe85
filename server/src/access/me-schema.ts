import { type Static, Type } from 'typebox'
import { Boundary } from '../http/schema-parts.ts'
import { type Scope, SCOPES } from '../http/scopes.ts'
import { OneOf } from '../http/text-schemas.ts'
import { Plan } from './plan-schema.ts'
import { MEMBER_ROLES } from './roles.ts'

export const Me = Type.Object(
  {
    workspace_id: Type.String(),
    workspace_name: Type.String({ description: 'Sealed in kits as the supplier.' }),
    actor: Type.Object({
      type: OneOf(
        ['key', 'federation', 'member'],
        '`federation`: a key that was exchanged for the token of a CI system.',
      ),
      id: Type.String({ description: 'ID of the key or member, as in the audit log.' }),
      name: Type.String({ description: 'The label of the key, or the email address of the member.' }),
    }),
    role: Type.Union([OneOf(MEMBER_ROLES), Type.Null()], { description: 'Of the member. Null for keys.' }),
    scopes: Type.Unsafe<readonly Scope[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', enum: [...SCOPES] },
      description: 'Of the key. Null for members, whose role says what they may do.',
    }),
    expires_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When the key expires, or the session ends. Null if never.',
    }),
    plan: Plan,
    boundary: Boundary(),
  },
  { $id: 'Me', title: 'Me', description: 'Who calls, for which workspace, and what they may do.' },
)

export type Me = Static<typeof Me>
