import { workspaceRow } from '../database/questions.ts'
import { BOUNDARY } from '@kitseal/kit/internal'
import { Type } from 'typebox'
import { MEMBER_ROLES, type WorkspaceCaller, workspaceOf, type Scope, SCOPES } from '../http/caller.ts'
import { answer } from '../http/resource.ts'
import { route } from '../http/route.ts'
import { Boundary, Count, NullableInteger, NullableTime, OneOf, Nullable } from '../http/schema-parts.ts'
import { planLimits } from '../settings/plan.ts'

export const Plan = Type.Object(
  {
    name: Type.String(),
    upload_limit_bytes: Count(),
    unpacked_limit_bytes: Count(),
    unpacked_files: Count(),
    unpacked_ratio: Count(),
    retention_days: NullableInteger('Null if kits are kept indefinitely.'),
    rate_per_minute: Count(),
    storage_limit_bytes: NullableInteger('Of all submissions together. Null if there is no limit.'),
    mails_per_day: Type.Integer({ minimum: 0, description: 'Mails to people who are not members.' }),
    evidence_policy: OneOf(['open', 'examined_only']),
    finding_classes: Type.Record(Type.String(), OneOf(['danger', 'damage', 'notice'])),
  },
  { description: 'The limits of the workspace.' },
)

const Me = answer(
  'Me',
  'Who calls, for which workspace, and what they may do.',
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
    role: Nullable(OneOf(MEMBER_ROLES), 'Of the member. Null for keys.'),
    scopes: Type.Unsafe<readonly Scope[] | null>({
      type: ['array', 'null'],
      items: { type: 'string', enum: [...SCOPES] },
      description: 'Of the key. Null for members, whose role says what they may do.',
    }),
    expires_at: NullableTime('When the key expires, or the session ends. Null if never.'),
    plan: Plan,
    boundary: Boundary(),
  },
  ({ caller, workspace_name }: Asking) => ({
    workspace_id: caller.workspaceId,
    workspace_name,
    ...whoIs(caller),
    role: caller.session?.role ?? null,
    scopes: caller.scopes ?? null,
    plan: { name: caller.plan.name, ...planLimits(caller.plan) },
    boundary: BOUNDARY,
  }),
)

interface Asking {
  readonly caller: WorkspaceCaller
  readonly workspace_name: string
}

function whoIs({ actor, session, key }: WorkspaceCaller) {
  if (session !== undefined) {
    const { memberId: id, email: name, endsAt: expires_at } = session
    return { actor: { type: 'member', id, name }, expires_at }
  }
  if (actor.is !== 'key' || key === undefined) throw new Error(`a ${actor.is} has no key`)
  const type = key.ci === null ? 'key' : 'federation'
  return { actor: { type, id: actor.keyId, name: key.label }, expires_at: key.expiresAt }
}

export const meRoutes = [
  route('me', 'GET /v1/me', {
    access: { scope: 'none', role: 'viewer' },
    summary: 'Get who you are',
    description: 'The workspace, the API key or member, and what they may do. Any API key can ask.',
    returns: Me,
    async read({ db }, { caller }) {
      const { name: workspace_name } = await workspaceRow(db, workspaceOf(caller).workspaceId)
      return { caller: workspaceOf(caller), workspace_name }
    },
  }),
]
