import { Type } from 'typebox'
import { Plan } from '../access/me-routes.ts'
import { MEMBER_ROLES } from '../access/member-queries.ts'
import { MailStatus } from '../deliveries/mail-status.ts'
import { Nullable, NullableString, OneOf } from '../http/schema-parts.ts'
import { ROLES } from '../settings/settings.ts'

/** What operators read about the service: counts, times and states. Nothing of what workspaces keep in it. */

const Text = Type.String()
const Count = Type.Integer()

const ServiceCheck = Type.Object({
  check: Text,
  status: OneOf(['ok', 'warn', 'fail']),
  problem: NullableString('A sentence that says what to do.'),
})

const ServiceNode = Type.Object({
  name: Type.String({ description: 'Host name and process ID.' }),
  role: OneOf(ROLES),
  version: Text,
  started_at: Text,
  seen_at: Text,
  is_running: Type.Boolean(),
})

/** `kitseal admin status --json` prints the same. */
export const ServiceStatus = Type.Object({
  at: Text,
  version: Text,
  issuer: NullableString(),
  checks: Type.Array(ServiceCheck, { description: 'Those of /readyz first.' }),
  nodes: Type.Array(ServiceNode),
  storage: Type.Object({
    used_bytes: Type.Integer({ description: 'Of all workspaces.' }),
    objects: OneOf(['folder', 's3']),
    database: OneOf(['sqlite', 'postgres']),
    disks: Type.Array(Type.Object({ folder: Text, free_bytes: Count, size_bytes: Count })),
  }),
  queue: Type.Object({ waiting: Count, running: Count, oldest_at: NullableString() }),
  mail: Type.Object({
    is_on: Type.Boolean(),
    waiting: Count,
    last_sent_at: NullableString(),
    last_failed_at: NullableString(),
    last_problem: NullableString(),
  }),
  backup: Nullable(Type.Object({ finished_at: Text, missing: Count })),
  scrub: Type.Object({ finished_at: NullableString(), damaged: Count }),
  signing_keys: Type.Array(
    Type.Object({ kid: Text, state: OneOf(['active', 'retired', 'revoked']), created_at: Text }),
  ),
  log: Nullable(
    Type.Object({
      origin: Text,
      size: Count,
      updated_at: Text,
      waiting: Count,
      frozen: Nullable(Type.Object({ since: Text, reason: Text })),
      witnesses: Type.Array(
        Type.Object({ name: Text, size: Count, cosigned_at: NullableString(), problem: NullableString() }),
      ),
    }),
  ),
})

const ServiceWorkspace = Type.Object({
  workspace_id: Text,
  name: Text,
  named_by: OneOf(['service', 'workspace', 'operator']),
  created_at: Text,
  members: Count,
  stored_bytes: Count,
  plan: Plan,
})

const Role = OneOf(MEMBER_ROLES)

const ServiceMember = Type.Object({
  member_id: Text,
  email: Text,
  name: NullableString(),
  role: Role,
  last_seen_at: NullableString(),
  passkeys: Count,
  uses_sso: Type.Boolean({ description: 'Whether the person signs in with single sign-on.' }),
})

export const SERVICE_RESPONSES = {
  ServiceCheck,
  ServiceNode,
  ServiceStatus,
  ServicePage: Type.Object({
    status: ServiceStatus,
    test_mail: Nullable(MailStatus, 'The newest test mail to this operator.'),
  }),
  ServiceWorkspace,
  ServiceMember,
  ServiceWorkspaceList: Type.Object({ data: Type.Array(ServiceWorkspace), next_cursor: NullableString() }),
  ServiceWorkspacePage: Type.Object({
    workspace: ServiceWorkspace,
    members: Type.Array(ServiceMember),
    invitations: Type.Array(Type.Object({ email: Text, role: Role, expires_at: Text })),
  }),
  NewServiceWorkspace: Type.Object({
    workspace: ServiceWorkspace,
    owner: Text,
    link: NullableString('For the owner, once. Null if it was mailed.'),
  }),
  ServicePlanList: Type.Object({ plans: Type.Array(Plan) }),
} as const
