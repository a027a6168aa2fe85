import { Type } from 'typebox'
import type { Language } from '@kitseal/kit/internal'
import type {
  CeremonyId,
  InvitationId,
  LinkId,
  MemberId,
  SessionId,
  SubmissionId,
  WorkspaceId,
} from '../runtime/identifiers.ts'
import { column, table } from './table.ts'

const role = () => column.oneOf('owner', 'manager', 'member', 'viewer')

/** Workspaces, and who may do what in them. Only hashes of tokens and cookies are stored. */
export const workspaceTables = {
  plans: table('plans', {
    plan: column.text(),
    api_access: column.boolean(),
    /** Total of all uploads of a submission. */
    upload_limit_bytes: column.count(),
    unpacked_limit_bytes: column.count(),
    unpacked_files: column.count(),
    /** Most unpacked bytes per packed byte. */
    unpacked_ratio: column.count(),
    /** Null: kits are kept indefinitely. */
    retention_days: column.count().nullable(),
    rate_per_minute: column.count(),
    /** Of all submissions of a workspace. Null: no limit. */
    storage_limit_bytes: column.count().nullable(),
    /** To people who are not members of the workspace. */
    mails_per_day: column.count(),
    /** `examined_only`: files that are not examined block a submission, unless they are acknowledged. */
    evidence_policy: column.oneOf('open', 'examined_only'),
    /** JSON: stricter classes of findings by their codes. Null if there are none. */
    finding_classes: column.text().nullable(),
    created_at: column.created(),
    updated_at: column.updated(),
  }).primaryKey('plan'),

  workspaces: table('workspaces', {
    workspace_id: column.text<WorkspaceId>(),
    /** Sealed in kits as the supplier. */
    name: column.text(),
    /** `service`: nobody has named it yet. `operator`: the operator set or confirmed the name. */
    named_by: column.oneOf('service', 'workspace', 'operator'),
    plan: column.refersTo('plans (plan)'),
    /** `public_kits` in the API and on the command line. */
    visibility: column.oneOf('receipts', 'all', 'none'),
    /** Of binders, and of mails. */
    language: column.text<Language>(),
    /** Sums of the ledger, so that a condition in one statement prevents overspending. */
    credits_available: column.integer(),
    credits_held: column.integer(),
    /** 1 unless the operator gave it a number of credits. Then only holds are counted. */
    credits_unlimited: column.boolean(),
    /** Uploaded and reserved bytes of submissions that have not expired. Kept by triggers. */
    stored_bytes: column.count(),
    /** Number of rows in the ledger and the audit log, which is the last sequence number. */
    ledger_entries: column.count(),
    audit_events: column.count(),
    /** Hash of the newest event, set by the database. Before the first event the audit tag, which is its `prev`. */
    audit_head: column.text(),
    /** Keeps the audit tag in the transparency log from naming the workspace. Null if its tag has none (v1). */
    audit_secret: column.text().nullable(),
    /** JSON: the keys that it pins for other issuers, as in a trust store. Null if there are none. */
    pins: column.text().nullable(),
    created_at: column.created(),
    updated_at: column.updated(),
  })
    .primaryKey('workspace_id')
    .stays('workspaces are not deleted')
    .keeps(
      'credits',
      'credits are not overspent',
      ['workspace_id', 'created_at'],
      'new.credits_available < 0 or new.credits_held < 0',
    ),

  credit_ledger: table('credit_ledger', {
    workspace_id: column.owner(),
    sequence: column.count(),
    kind: column.oneOf('grant', 'hold', 'capture', 'release'),
    available_change: column.integer(),
    held_change: column.integer(),
    available_after: column.integer(),
    submission_id: column.refersTo<SubmissionId>('submissions (submission_id)').nullable(),
    note: column.text().nullable(),
    at: column.time(),
  })
    .primaryKey('workspace_id', 'sequence')
    // A submission holds a credit once, and captures or releases it once.
    .indexOf(
      `unique index credit_ledger_once on credit_ledger (submission_id, (kind = 'hold')) where submission_id is not null`,
    )
    .stays('the ledger is only added to')
    .fixed('the ledger is only added to')
    .guard(
      'settles',
      'insert',
      'only a held credit is captured or released',
      `new.kind in ('capture', 'release') and not exists (select 1 from credit_ledger where
        credit_ledger.submission_id = new.submission_id and credit_ledger.kind = 'hold')`,
    ),

  members: table('members', {
    member_id: column.text<MemberId>(),
    workspace_id: column.owner(),
    /** Lower case. Unique among the current members of a workspace. */
    email: column.text(),
    /** Of the person. */
    name: column.text().nullable(),
    role: role(),
    created_at: column.created(),
    removed_at: column.time().nullable(),
    /** When single sign-on last opened the membership. Null: it has not proved the address. */
    sso_at: column.time().nullable(),
    /** When a link of the operator proved the address. Null: it has not. */
    confirmed_at: column.time().nullable(),
  })
    .primaryKey('member_id')
    .missing('member_not_found', 'Member not found in this workspace.')
    .unique(['workspace_id', 'email'], 'removed_at is null', 'members_current')
    .index(['workspace_id', 'email'])
    .index(['email'], 'removed_at is null')
    .index(['email'], 'sso_at is not null', 'members_by_sso')
    .stays('members are not deleted')
    .guard('begin', 'insert', 'a member begins as a current one', 'new.removed_at is not null')
    .keeps(
      'fixed',
      'a member stays in its workspace, and a removed one stays removed',
      ['member_id', 'workspace_id', 'created_at'],
      'old.removed_at is not null',
    )
    .guard(
      'last_owner',
      'update',
      'a workspace with members keeps an owner',
      `old.role = 'owner' and (new.role <> 'owner' or new.removed_at is not null) and not exists (select 1
        from members others where others.workspace_id = old.workspace_id and others.member_id <> old.member_id
        and others.role = 'owner' and others.removed_at is null)`,
    ),

  invitations: table('invitations', {
    invitation_id: column.text<InvitationId>(),
    workspace_id: column.owner(),
    email: column.text(),
    role: role(),
    /** Of the member, or of the member that the invited person will be: what is given to them before they join is theirs. */
    member_id: column.text<MemberId>(),
    invited_by: column.oneOf('member', 'operator', 'service'),
    inviting_member: column.refersTo<MemberId>('members (member_id)').nullable(),
    created_at: column.created(),
    expires_at: column.time(),
    accepted_at: column.time().nullable(),
    revoked_at: column.time().nullable(),
  })
    .primaryKey('invitation_id')
    // One open invitation per address: a new one revokes the older.
    .unique(['workspace_id', 'email'], 'accepted_at is null and revoked_at is null', 'invitations_open')
    .index(['email'], 'accepted_at is null and revoked_at is null')
    .index(['workspace_id', 'email', 'created_at'], 'accepted_at is null')
    .keeps(
      'fixed',
      'an invitation is used once, or revoked',
      ['invitation_id', 'workspace_id', 'email', 'role', 'member_id', 'created_at', 'expires_at'],
      'old.accepted_at is not null or old.revoked_at is not null',
    ),

  /** People who may look after the service in the console. */
  operators: table('operators', {
    /** Lower case. */
    email: column.text(),
    added_at: column.time(),
  }).primaryKey('email'),

  passkeys: table('passkeys', {
    /** The credential id, base64url. */
    passkey_id: column.text(),
    member_id: column.refersTo<MemberId>('members (member_id)'),
    /** COSE, base64url. */
    public_key: column.text(),
    counter: column.count(),
    transports: column.json(Type.Array(Type.String())),
    backed_up: column.boolean(),
    label: column.text(),
    created_at: column.created(),
    last_used_at: column.time().nullable(),
  })
    .primaryKey('passkey_id')
    .index(['member_id']),

  sessions: table('sessions', {
    session_id: column.id<SessionId>('ses'),
    member_id: column.refersTo<MemberId>('members (member_id)'),
    /** SHA-256 of the secret in the cookie, hex. */
    sha256: column.text(),
    /** The previous secret is accepted until the new one was used, and for a short time after. */
    previous_sha256: column.text().nullable(),
    /** 1 once the browser has sent the newest secret. */
    confirmed: column.boolean(),
    rotated_at: column.time(),
    method: column.oneOf('passkey', 'link', 'oidc'),
    /** For display: "Firefox on Linux". */
    browser: column.text(),
    created_at: column.created(),
    last_seen_at: column.time(),
    ends_at: column.time(),
    ended_at: column.time().nullable(),
    ended_as: column.oneOf('stolen').nullable(),
  })
    .primaryKey('session_id')
    .unique(['sha256'])
    .unique(['previous_sha256'])
    .index(['member_id'])
    .index(['ends_at'])
    .keeps(
      'fixed',
      'a session that has ended stays ended',
      ['session_id', 'member_id', 'method', 'created_at', 'ends_at'],
      'old.ended_at is not null',
    ),

  /** A pending sign-in or passkey registration. Can be completed once. */
  ceremonies: table('ceremonies', {
    ceremony_id: column.text<CeremonyId>(),
    kind: column.oneOf('register', 'sign_in', 'oidc', 'choice'),
    /** JSON: what the response must match. */
    expected: column.text(),
    expires_at: column.time(),
  })
    .primaryKey('ceremony_id')
    .index(['expires_at']),

  /** Tokens that were exchanged once, until they expire. */
  exchanged_tokens: table('exchanged_tokens', {
    /** Of issuer and `jti`, or of the signed part of the token. */
    sha256: column.text(),
    expires_at: column.time(),
  })
    .primaryKey('sha256')
    .index(['expires_at']),

  /** Links that let someone in without an account. Several links may lead to the same subject. */
  links: table('links', {
    link_id: column.text<LinkId>(),
    workspace_id: column.owner(),
    purpose: column.oneOf('invitation', 'share', 'request', 'unsubscribe'),
    /** ID of the invitation, share or request. For `unsubscribe`, the email address. */
    subject_id: column.text(),
    /** Email address of the person that the link was made for. Null if it was made for nobody in particular. */
    recipient: column.text().nullable(),
    /** SHA-256 of the token in the link, hex. The token itself is not stored. */
    sha256: column.text(),
    created_at: column.created(),
    expires_at: column.time(),
    revoked_at: column.time().nullable(),
  })
    .primaryKey('link_id')
    .unique(['sha256'])
    .index(['subject_id'])
    .fixed(
      'a link does not change, and a revoked one stays revoked',
      ['revoked_at'],
      'old.revoked_at is not null',
    ),

  /** Addresses that want no more reminders from a workspace. */
  unsubscribes: table('unsubscribes', {
    workspace_id: column.owner(),
    /** Lower case. */
    email: column.text(),
    unsubscribed_at: column.time(),
  }).primaryKey('workspace_id', 'email'),
}
