import { type Static, type TSchema, Type } from 'typebox'
import { OneOf } from '../http/text-schemas.ts'
import { PUBLIC_KITS } from '../access/public-kits.ts'
import { MEMBER_ROLES, PERMISSIONS } from '../access/permissions.ts'
import { Plan } from './plan-schema.ts'
import { KitLog, LogDay, LogInfo } from './log-response-schemas.ts'
import { ref } from '../http/route-schemas.ts'
import type { Submission } from '../submissions/submission-schemas.ts'
import { Stage, Status, SubmissionSummaries, SubmissionSummary } from './submission-response-schemas.ts'

/** The responses of the console API. The types of the web pages are generated from them. */

const Text = Type.String()
const Count = Type.Integer()
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })

const Role = OneOf(MEMBER_ROLES)
const Permission = OneOf(PERMISSIONS)
const SignInMethod = OneOf(['passkey', 'link', 'oidc'])
const Actor = OneOf(['key', 'member', 'operator', 'service', 'link', 'anonymous'])
const FileKind = OneOf(['evidence', 'report', 'binder', 'guide', 'verifier', 'bag', 'envelope'])

const ServiceKey = Type.Object({
  kid: Text,
  state: OneOf(['active', 'retired', 'revoked']),
  since: Text,
  until: TextOrNull,
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
    oidc: Type.Union([Type.Object({ name: Text }), Type.Null()]),
  }),
  boundary: Text,
  long_boundary: Text,
})

const Workspace = Type.Object({
  workspace_id: Text,
  name: Type.String({ description: 'Sealed in kits as the supplier. Set by the operator.' }),
  proposed_name: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Waits for the operator.',
  }),
  public_kits: OneOf(PUBLIC_KITS),
  entitled: Type.Boolean(),
  credits: Type.Object({ available: Count, held: Count }),
  plan: Plan,
})

const Me = Type.Object({
  member: Type.Object({ member_id: Text, email: Text, role: Role }),
  workspace: Workspace,
  session: Type.Object({
    session_id: Text,
    created_at: Text,
    ends_at: Text,
    idle_minutes: Count,
    method: SignInMethod,
  }),
  can: Type.Array(Permission),
  workspaces: Type.Array(Type.Object({ workspace_id: Text, name: Text, role: Role }), {
    description: 'What this session can switch to, and the current one.',
  }),
  passkeys: Count,
  issuer: Text,
  boundary: Text,
  log_frozen: Type.Union([Type.Object({ since: Text, reason: Text }), Type.Null()], {
    description: 'Why no kits are issued at the moment.',
  }),
})

const OpenInvitation = Type.Object({
  email: Text,
  workspace: Type.Object({ workspace_id: Text, name: Text }),
  role: Role,
  expires_at: Text,
  purpose: OneOf(['join', 'sign_in']),
})

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
  last_used_at: TextOrNull,
  backed_up: Type.Boolean(),
})
const PasskeyList = Type.Object({ passkeys: Type.Array(Passkey) })
const OnePasskey = Type.Object({ passkey: Passkey })

const Member = Type.Object({
  member_id: Text,
  email: Text,
  role: Role,
  created_at: Text,
  last_seen_at: TextOrNull,
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
const ChangedMember = Type.Object({ member: Type.Omit(Member, ['last_seen_at', 'passkeys']) })
const NewInvitation = Type.Object({ invitation: Type.Omit(Invitation, ['created_at']), link: Text })

const Revocation = Type.Object({
  kid: Text,
  revoked_at: Text,
  compromised_since: TextOrNull,
  kits: Type.Integer({ description: 'Kits that are not re-issued yet.' }),
  submissions: Type.Array(Text, { description: 'Their submissions, oldest first, at most 500.' }),
})
const Revocations = Type.Object({ keys: Type.Array(Revocation) })

const TimelineEvent = Type.Object({
  at: Text,
  action: Text,
  actor: Actor,
  by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The label of the key, or the email address of the member.',
  }),
  details: Type.Record(Text, Type.Unknown()),
})

const NamedEvent = Type.Object({
  seq: Count,
  at: Text,
  action: Text,
  actor: Actor,
  by: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The label of the key, or the email address of the member.',
  }),
  subject: Text,
  subject_name: TextOrNull,
  submission: Type.Union([Type.Object({ submission_id: Text, label: Text }), Type.Null()]),
  details: Type.Record(Text, Type.Unknown()),
})
const AuditPage = Type.Object({ events: Type.Array(NamedEvent), next_cursor: TextOrNull })
const Person = Type.Object({ id: Text, name: Text, is: OneOf(['member', 'key']) })
const People = Type.Object({ people: Type.Array(Person) })

const CheckedFile = Type.Object({
  position: Count,
  name: Text,
  sha256: Text,
  size_bytes: Count,
  media_type: Text,
  good: Type.Boolean(),
  blockers: Type.Array(Count, { description: "Indexes into the submission's blockers." }),
})

const SubmissionDetail = Type.Object({
  submission: Type.Unsafe<Submission>(ref('Submission')),
  stage: Stage,
  timeline: Type.Array(TimelineEvent),
  evidence: Type.Array(CheckedFile),
  resubmitted_from: TextOrNull,
  resubmitted_as: Type.Array(Text),
})

const KIT_FILE = { path: Text, sha256: Text, size_bytes: Count }
const KIT_HEADING = { kit_id: Text, submission_id: Text, label: Text, issued_at: Text }
const KitFile = Type.Object(KIT_FILE)
const KitHeading = Type.Object(KIT_HEADING)

/** As sealed in a kit. */
const NamedWorkspace = Type.Object({ workspace_id: Text, name: Text })

const KitDetail = Type.Object({
  ...KIT_HEADING,
  kid: Text,
  supplier: Type.Union([NamedWorkspace, Type.Null()], {
    description: 'As sealed in the kit. Null if it names none, or its evidence was deleted.',
  }),
  requested_by: Type.Optional(NamedWorkspace),
  manifest_sha256: Text,
  manifest_root_hash: Text,
  canonical_receipt_sha256: Text,
  size_bytes: Count,
  /** Of kit.zip. */
  sha256: Text,
  files: Type.Array(Type.Object({ ...KIT_FILE, kind: FileKind })),
  log: Type.Union([KitLog, Type.Null()]),
  boundary: Text,
})

const Comparison = Type.Object({
  from: KitHeading,
  to: KitHeading,
  same_scope: Type.Boolean(),
  added: Type.Array(KitFile),
  removed: Type.Array(KitFile),
  changed: Type.Array(Type.Object({ path: Text, from: KitFile, to: KitFile })),
  moved: Type.Array(Type.Object({ from: Text, to: Text, sha256: Text, size_bytes: Count })),
  unchanged: Count,
})

const CreditMonth = Type.Object({
  month: Type.String({ description: '`2026-11`, in UTC.' }),
  granted: Count,
  used: Count,
  held: Count,
  released: Count,
})
const CreditMonths = Type.Object({ months: Type.Array(CreditMonth) })

const OverviewMonth = Type.Object({
  month: Type.String({ description: '`2026-11`, in UTC.' }),
  kits: Count,
  submissions: Count,
  bytes: Type.Integer({
    description: 'Of evidence that was uploaded for submissions created in this month.',
  }),
})
const Overview = Type.Object({
  is_empty: Type.Boolean({ description: 'The workspace has no submissions yet.' }),
  failed: Type.Array(Type.Object({ submission_id: Text, label: Text, at: Text }), {
    description: 'Failed within 30 days and not resubmitted, newest first. Each list has at most 5 entries.',
  }),
  requests: Type.Array(Type.Object({ request_id: Text, title: Text, due_at: Text }), {
    description: 'Open requests that are overdue or due within 7 days.',
  }),
  shares: Type.Array(Type.Object({ share_id: Text, label: Text, expires_at: Text }), {
    description: 'Shares that expire within 7 days.',
  }),
  keys: Type.Array(Type.Object({ key_id: Text, label: Text, expires_at: Text }), {
    description: 'API keys that expire within 7 days, for members who manage keys.',
  }),
  evidence: Type.Union([Type.Object({ kits: Count, first_at: Text }), Type.Null()], {
    description: 'Kits whose evidence is deleted within 30 days by the retention rule.',
  }),
  months: Type.Array(OverviewMonth),
})

export const CONSOLE_RESPONSES = {
  Role,
  Permission,
  SignInMethod,
  Status,
  Stage,
  Actor,
  FileKind,
  ServiceKey,
  ServiceInfo,
  Plan,
  Workspace,
  Me,
  OpenInvitation,
  MemberSession,
  SessionList,
  Passkey,
  PasskeyList,
  OnePasskey,
  Member,
  Invitation,
  MemberList,
  ChangedMember,
  NewInvitation,
  SubmissionSummary,
  SubmissionSummaries,
  Revocation,
  Revocations,
  TimelineEvent,
  NamedEvent,
  AuditPage,
  Person,
  People,
  CheckedFile,
  SubmissionDetail,
  KitFile,
  KitHeading,
  KitLog,
  KitDetail,
  Comparison,
  LogDay,
  LogInfo,
  CreditMonth,
  CreditMonths,
  OverviewMonth,
  Overview,
} as const satisfies Readonly<Record<string, TSchema>>

type Name = keyof typeof CONSOLE_RESPONSES
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

/** The type of a response, or of a part of one. */
export type ConsoleResponse<N extends Name> = DeepReadonly<Static<(typeof CONSOLE_RESPONSES)[N]>>

/** In a route's schema: `{ body: InvitationBody, ...returns('NewInvitation', 201) }`. */
export const returns = (name: Name, status = 200) => ({ response: { [status]: CONSOLE_RESPONSES[name] } })
