import { type Static, type TSchema, Type } from 'typebox'
import { type Answer, asReturned } from '../http/resource.ts'
import { OneOf, NullableString, Nullable } from '../http/schema-parts.ts'
import { PUBLIC_KITS } from '../access/public-kits.ts'
import { LANGUAGE_CODES } from '../database/questions.ts'
import { MEMBER_ROLES } from '../http/caller.ts'
import { Plan } from '../access/me-routes.ts'
import { MailStatus } from '../deliveries/mail.ts'
import { ROLES } from '../settings/settings.ts'

/** The responses of the console API. Members that are not in them are not sent. The types of the web pages are generated from them. */

const Text = Type.String()
const Count = Type.Integer()

const Role = OneOf(MEMBER_ROLES)
const SignInMethod = OneOf(['passkey', 'link', 'oidc'])

const ServiceKey = Type.Object({
  kid: Text,
  status: OneOf(['active', 'retired', 'revoked']),
  since: Text,
  until: NullableString(),
})

const ServiceInfo = Type.Object({
  issuer: Text,
  receipt_version: Text,
  keys: Type.Array(ServiceKey),
  open_intake: Type.Boolean(),
  profiles: Type.Array(Text),
  console: Type.Object({
    url: Text,
    passkeys: Type.Boolean(),
    oidc: Nullable(Type.Object({ name: Text })),
  }),
  boundary: Text,
  long_boundary: Text,
})

const NamedBy = OneOf(
  ['service', 'workspace', 'operator'],
  'Who the name is from. `service`: nobody has named it yet. `operator`: the operator set or confirmed it.',
)

const Workspace = Type.Object({
  workspace_id: Text,
  name: Type.String({ description: 'Sealed in kits as the supplier.' }),
  named_by: NamedBy,
  public_kits: OneOf(PUBLIC_KITS),
  language: OneOf(LANGUAGE_CODES),
  entitled: Type.Boolean(),
  plan: Plan,
})

const PersonName = NullableString('Of the person.')

const Me = Type.Object({
  member: Type.Object({ member_id: Text, email: Text, name: PersonName, role: Role }),
  workspace: Workspace,
  session: Type.Object({
    session_id: Text,
    created_at: Text,
    ends_at: Text,
    idle_minutes: Count,
    method: SignInMethod,
  }),
  workspaces: Type.Array(Type.Object({ workspace_id: Text, name: Text, role: Role }), {
    description: 'What this session can switch to, and the current one.',
  }),
  passkeys: Count,
  issuer: Text,
  is_operator: Type.Boolean({ description: 'Whether the person looks after the service.' }),
  sends_mail: Type.Boolean({ description: 'False if the service has no mail server.' }),
  boundary: Text,
  log_frozen: Nullable(Type.Object({ since: Text, reason: Text }), 'Why no kits are issued at the moment.'),
})

const OpenInvitation = Type.Object({
  email: Text,
  workspace: Type.Object({ workspace_id: Text, name: Text, named_by: NamedBy }),
  role: Role,
  expires_at: Text,
  purpose: OneOf(['join', 'sign_in']),
  sso_required: Type.Boolean(),
})

const WorkspaceChoices = Type.Object({
  email: Text,
  choices: Type.Array(
    Type.Object({ workspace_id: Text, name: Text, role: Role, is: OneOf(['member', 'linked', 'invited']) }),
  ),
})
const ChosenWorkspace = Type.Object({ return_to: Text })

const MemberSession = Type.Object({
  session_id: Text,
  created_at: Text,
  last_seen_at: Text,
  ends_at: Text,
  method: SignInMethod,
  browser: Text,
  current: Type.Boolean(),
})
const SessionList = Type.Object({ sessions: Type.Array(MemberSession) })

const Passkey = Type.Object({
  passkey_id: Text,
  label: Text,
  created_at: Text,
  last_used_at: NullableString(),
  backed_up: Type.Boolean(),
})
const PasskeyList = Type.Object({ passkeys: Type.Array(Passkey) })
const OnePasskey = Type.Object({ passkey: Passkey })

const Member = Type.Object({
  member_id: Text,
  email: Text,
  name: PersonName,
  role: Role,
  created_at: Text,
  last_seen_at: NullableString(),
  passkeys: Count,
  you: Type.Boolean(),
})
const Invitation = Type.Object({
  invitation_id: Text,
  email: Text,
  role: Role,
  created_at: Text,
  expires_at: Text,
  invited_by: Text,
})
const MemberList = Type.Object({ members: Type.Array(Member), invitations: Type.Array(Invitation) })
const Leaving = Type.Object({
  keys: Type.Array(Type.Object({ key_id: Text, label: Text, last_used_at: NullableString() })),
  federations: Type.Array(Type.Object({ federation_id: Text, label: Text })),
  invitations: Type.Array(Type.Object({ invitation_id: Text, email: Text, role: Role })),
  shares: Type.Array(Type.Object({ share_id: Text, label: Text, expires_at: Text })),
  requests: Type.Array(Type.Object({ evidence_request_id: Text, title: Text })),
})
const ChangedMember = Type.Object({ member: Type.Omit(Member, ['last_seen_at', 'passkeys']) })
const NewInvitation = Type.Object({ invitation: Type.Omit(Invitation, ['created_at']), link: Text })

/** What operators read about the service: counts, times and states. Nothing of what workspaces keep in it. */

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

const ServiceMember = Type.Object({
  member_id: Text,
  email: Text,
  name: NullableString(),
  role: Role,
  last_seen_at: NullableString(),
  passkeys: Count,
  uses_sso: Type.Boolean({ description: 'Whether the person signs in with single sign-on.' }),
})

export const CONSOLE_RESPONSES = {
  Role,
  SignInMethod,
  ServiceKey,
  ServiceInfo,
  Plan,
  Workspace,
  Me,
  OpenInvitation,
  WorkspaceChoices,
  ChosenWorkspace,
  MemberSession,
  SessionList,
  Passkey,
  PasskeyList,
  OnePasskey,
  Member,
  Invitation,
  MemberList,
  Leaving,
  ChangedMember,
  NewInvitation,
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
} as const satisfies Readonly<Record<string, TSchema>>

type Name = keyof typeof CONSOLE_RESPONSES
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

/** The type of a response, or of a part of one. */
export type ConsoleResponse<N extends Name> = DeepReadonly<Static<(typeof CONSOLE_RESPONSES)[N]>>

export const returns = <N extends Name>(name: N): Answer<ConsoleResponse<N>> => ({
  schema: CONSOLE_RESPONSES[name],
  show: (out: unknown) => out as object, // the handler's result has the type of the schema
})

/** Options of a WebAuthn ceremony, as the browser takes them. */
export const ceremonyOptions = asReturned(Type.Object({}, { additionalProperties: true }))
