import type { GuardTrigger } from './dialect.ts'

/** The condition that one of the columns changes. */
const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

/** The condition that a column changes in one of the ways. */
const moves = (column: string, ...ways: readonly (readonly [string, string])[]): string =>
  ways.map(([from, to]) => `(old.${column} = '${from}' and new.${column} = '${to}')`).join(' or ')

/** No row is deleted. */
const stay = (on: string, message: string): GuardTrigger => ({
  name: `${on}_stay`,
  on,
  event: 'delete',
  when: 'true',
  message,
})

/** No row changes. */
const fixed = (on: string, message: string): GuardTrigger => ({
  name: `${on}_fixed`,
  on,
  event: 'update',
  when: 'true',
  message,
})

export const SIGNED_IN_TIME = 'a kit is signed by a key that is alive at its time'

/** The changes that the database refuses, whatever the code does. */
export const GUARDS: readonly GuardTrigger[] = [
  stay('workspaces', 'workspaces are not deleted'),
  {
    name: 'workspaces_credits',
    on: 'workspaces',
    event: 'update',
    when: `new.credits_available < 0 or new.credits_held < 0 or ${changed('workspace_id', 'created_at')}`,
    message: 'credits are not overspent',
  },
  {
    name: 'workspaces_visibility_insert',
    on: 'workspaces',
    event: 'insert',
    when: `new.visibility not in ('receipts', 'all', 'none')`,
    message: 'the visibility is receipts, all or none',
  },
  {
    name: 'workspaces_visibility_update',
    on: 'workspaces',
    event: 'update',
    when: `new.visibility not in ('receipts', 'all', 'none')`,
    message: 'the visibility is receipts, all or none',
  },
  {
    name: 'members_last_owner',
    on: 'members',
    event: 'update',
    when: `old.role = 'owner' and (new.role <> 'owner' or new.removed_at is not null) and not exists (select 1
      from members others where others.workspace_id = old.workspace_id and others.member_id <> old.member_id
      and others.role = 'owner' and others.removed_at is null)`,
    message: 'a workspace with members keeps an owner',
  },
  stay('members', 'members are not deleted'),
  {
    name: 'invitations_fixed',
    on: 'invitations',
    event: 'update',
    when: `old.accepted_at is not null or old.revoked_at is not null or
      ${changed('invitation_id', 'workspace_id', 'email', 'role', 'member_id', 'created_at', 'expires_at')}`,
    message: 'an invitation is used once, or revoked',
  },
  {
    name: 'sessions_fixed',
    on: 'sessions',
    event: 'update',
    when: `old.ended_at is not null or ${changed('session_id', 'member_id', 'method', 'created_at', 'ends_at')}`,
    message: 'a session that has ended stays ended',
  },
  {
    name: 'signing_keys_begin',
    on: 'signing_keys',
    event: 'insert',
    when: `not ((new.state = 'active' and new.provider in ('file', 'pkcs11', 'database')) or
      (new.state = 'retired' and new.retired_at is not null and new.provider = 'imported'))`,
    message: 'a signing key begins as active, unless only its public half is known',
  },
  {
    name: 'signing_keys_move',
    on: 'signing_keys',
    event: 'update',
    when: `(new.state <> old.state and not
      (${moves('state', ['active', 'retired'], ['active', 'revoked'], ['retired', 'revoked'])})) or
      ${changed('kid', 'x', 'provider', 'created_at')} or (old.retired_at is not null and
      ${changed('retired_at')}) or (old.revoked_at is not null and ${changed('revoked_at')})`,
    message: 'a signing key does not move that way',
  },
  {
    name: 'signing_keys_compromise',
    on: 'signing_keys',
    event: 'update',
    when: `${changed('compromised_since')} and not (new.state = 'revoked' and new.compromised_since is not null
      and (old.state <> 'revoked' or new.compromised_since < coalesce(old.compromised_since, '')))`,
    message: 'the compromise of a signing key is stated when it is revoked, and moves only back',
  },
  stay('signing_keys', 'signing keys are not deleted'),
  {
    name: 'kits_key',
    on: 'kits',
    event: 'insert',
    when: `not exists (select 1 from signing_keys where signing_keys.kid = new.public_key_kid and
      signing_keys.state <> 'revoked' and substr(signing_keys.created_at, 1, 19) <= substr(new.issued_at, 1,
      19) and (signing_keys.retired_at is null or substr(new.issued_at, 1, 19) <=
      substr(signing_keys.retired_at, 1, 19)))`,
    message: SIGNED_IN_TIME,
  },
  stay('kits', 'kits are not deleted'),
  {
    name: 'kits_fixed',
    on: 'kits',
    event: 'update',
    when: `${changed('kit_id', 'job_id', 'issued_at', 'receipt_version', 'manifest_sha256', 'public_key_kid', 'downloads', 'receipt', 'entries')}
      or (old.zip_sha256 is not null and ${changed('zip_sha256')}) or
      ((${changed('log_proof', 'time_stamp')}) and (old.log_proof is not null or exists (select 1 from submissions
      where submissions.kit_id = old.kit_id)))`,
    message: 'a kit does not change',
  },
  stay('expired_kits', 'what was let go is not forgotten'),
  fixed('expired_kits', 'what was let go does not change'),
  stay('profiles', 'versions of profiles are not deleted'),
  {
    name: 'profiles_fixed',
    on: 'profiles',
    event: 'update',
    when: `${changed('workspace_id', 'profile', 'version', 'document', 'created_at')} or (old.ended_at is not null
      and ${changed('ended_at')})`,
    message: 'a version of a profile does not change',
  },
  {
    name: 'submissions_begin',
    on: 'submissions',
    event: 'insert',
    when: `new.status not in ('DRAFT', 'SUBMITTED') or new.kit_id is not null`,
    message: 'a job begins as DRAFT or SUBMITTED, without a kit',
  },
  {
    name: 'submissions_move',
    on: 'submissions',
    event: 'update',
    when: `new.status <> old.status and not
      (${moves('status', ['DRAFT', 'SUBMITTED'], ['DRAFT', 'EXPIRED'], ['SUBMITTED', 'PASS'], ['SUBMITTED', 'FAIL'], ['SUBMITTED', 'ISSUED'], ['PASS', 'ISSUED'], ['ISSUED', 'EXPIRED'], ['FAIL', 'EXPIRED'])})`,
    message: 'a job does not move that way',
  },
  {
    name: 'submissions_kit',
    on: 'submissions',
    event: 'update',
    when: `(${changed('kit_id')} and not (old.status in ('SUBMITTED', 'PASS') and new.status = 'ISSUED')) or
      ((old.status in ('SUBMITTED', 'PASS') and new.status = 'ISSUED') and not exists (select 1 from kits
      where kits.kit_id = new.kit_id and kits.job_id = new.job_id and kits.log_proof is not null))`,
    message: 'a job has the kit that was issued for it, with its log proof, and never another',
  },
  {
    name: 'submissions_held',
    on: 'submissions',
    event: 'update',
    when: `new.status = 'EXPIRED' and old.status <> 'EXPIRED' and exists (select 1 from holds where
      holds.submission_id = new.submission_id)`,
    message: 'evidence under a legal hold is kept',
  },
  stay('submissions', 'submissions are not deleted'),
  {
    name: 'submissions_identity',
    on: 'submissions',
    event: 'update',
    when: `${changed('submission_id', 'job_id', 'tenant_id', 'scope_label', 'job_created_at', 'authenticated', 'replaces_kit_id')}
      or (old.workspace_id is not null and ${changed('workspace_id')})`,
    message: 'what a submission was created with stays',
  },
  {
    name: 'submissions_opened',
    on: 'submissions',
    event: 'update',
    when: `old.sequence is not null and
      (${changed('sequence', 'label', 'profile', 'profile_version', 'created_at')})`,
    message: 'what a submission was opened with stays',
  },
  {
    name: 'submissions_replaces_revoked',
    on: 'submissions',
    event: 'insert',
    when: `new.replaces_kit_id is not null and not exists (select 1 from kits join submissions replaced on
      replaced.kit_id = kits.kit_id join signing_keys on signing_keys.kid = kits.public_key_kid where kits.kit_id =
      new.replaces_kit_id and replaced.workspace_id = new.workspace_id and replaced.status = 'ISSUED' and
      signing_keys.state = 'revoked')`,
    message: 'only a kit of the same workspace whose key is revoked is replaced',
  },
  {
    name: 'submissions_replaces_once',
    on: 'submissions',
    event: 'insert',
    when: `new.replaces_kit_id is not null and exists (select 1 from submissions others where
      others.replaces_kit_id = new.replaces_kit_id and others.status <> 'FAIL')`,
    message: 'a kit is replaced once',
  },
  {
    name: 'holds_begin',
    on: 'holds',
    event: 'insert',
    when: `exists (select 1 from submissions where submissions.submission_id = new.submission_id and
      submissions.status = 'EXPIRED')`,
    message: 'evidence that is gone cannot be held',
  },
  {
    name: 'evidence_open',
    on: 'evidence',
    event: 'insert',
    when: `not exists (select 1 from submissions where submissions.submission_id = new.submission_id and
      submissions.status = 'DRAFT')`,
    message: 'a sealed submission takes no more evidence',
  },
  fixed('evidence', 'evidence does not change'),
  {
    name: 'evidence_stay',
    on: 'evidence',
    event: 'delete',
    when: `not exists (select 1 from submissions where submissions.submission_id = old.submission_id and
      submissions.status = 'DRAFT')`,
    message: 'sealed evidence is not deleted',
  },
  {
    name: 'objects_fixed',
    on: 'objects',
    event: 'update',
    when: `${changed('object', 'sha256', 'size_bytes')} or (old.erased_at is not null and ${changed('erased_at')})`,
    message: 'objects do not change',
  },
  {
    name: 'objects_stay',
    on: 'objects',
    event: 'delete',
    when: 'old.erased_at is null',
    message: 'objects stay until they are erased',
  },
  {
    name: 'log_grows',
    on: 'log',
    event: 'update',
    when: 'new.size < old.size or (new.size = old.size and new.root <> old.root)',
    message: 'the log never shrinks or changes',
  },
  {
    name: 'log_identity',
    on: 'log',
    event: 'update',
    when: 'new.origin <> old.origin or new.kid <> old.kid or new.x <> old.x',
    message: 'the origin and the key of the log never change',
  },
  { name: 'log_no_delete', on: 'log', event: 'delete', when: 'true', message: 'the log is never deleted' },
  {
    name: 'log_leaves_fixed',
    on: 'log_leaves',
    event: 'update',
    when: 'old.leaf_index is not null or new.leaf <> old.leaf',
    message: 'a leaf never changes, and its index is set once',
  },
  {
    name: 'log_leaves_no_delete',
    on: 'log_leaves',
    event: 'delete',
    when: 'true',
    message: 'leaves are never deleted',
  },
  {
    name: 'log_tiles_no_update',
    on: 'log_tiles',
    event: 'update',
    when: 'true',
    message: 'tiles never change',
  },
  {
    name: 'log_tiles_no_delete',
    on: 'log_tiles',
    event: 'delete',
    when: 'true',
    message: 'tiles are never deleted',
  },
  {
    name: 'log_checkpoints_fixed',
    on: 'log_checkpoints',
    event: 'update',
    when: 'new.size <> old.size or new.root <> old.root',
    message: 'a checkpoint never gets another root',
  },
  {
    name: 'log_checkpoints_no_delete',
    on: 'log_checkpoints',
    event: 'delete',
    when: 'true',
    message: 'checkpoints are never deleted',
  },
  stay('credit_ledger', 'the ledger is only added to'),
  fixed('credit_ledger', 'the ledger is only added to'),
  {
    name: 'credit_ledger_settles',
    on: 'credit_ledger',
    event: 'insert',
    when: `new.kind not in ('grant', 'hold', 'capture', 'release') or (new.kind in ('capture', 'release') and not
      exists (select 1 from credit_ledger where credit_ledger.submission_id = new.submission_id and
      credit_ledger.kind = 'hold'))`,
    message: 'only a held credit is captured or released',
  },
  stay('audit_events', 'events are only added'),
  stay('audit_heads', 'heads are only added'),
  {
    name: 'audit_heads_fixed',
    on: 'audit_heads',
    event: 'update',
    when: `old.leaf_id is not null or ${changed('workspace_id', 'count', 'head', 'logged_at')}`,
    message: 'heads are only added',
  },
  {
    name: 'links_begin',
    on: 'links',
    event: 'insert',
    when: `new.purpose not in ('invitation', 'share', 'request', 'unsubscribe') or new.revoked_at is not null`,
    message: 'a link has one of the purposes',
  },
  {
    name: 'links_fixed',
    on: 'links',
    event: 'update',
    when: `old.revoked_at is not null or
      ${changed('link_id', 'workspace_id', 'purpose', 'subject_id', 'sha256', 'created_at', 'expires_at')}`,
    message: 'a link does not change, and a revoked one stays revoked',
  },
  {
    name: 'links_recipient_fixed',
    on: 'links',
    event: 'update',
    when: changed('recipient'),
    message: 'a link does not change',
  },
  fixed('audit_events', 'events are only added'),
  {
    name: 'audit_events_chain',
    on: 'audit_events',
    event: 'insert',
    when: `new.hash is null or new.prev is null or (new.sequence > 1 and not exists (select 1 from audit_events where audit_events.workspace_id = new.workspace_id and audit_events.sequence = new.sequence - 1 and audit_events.hash = new.prev))`,
    message: 'an event follows the newest one',
  },
  {
    name: 'workspaces_named_by_insert',
    on: 'workspaces',
    event: 'insert',
    when: `new.named_by not in ('service', 'workspace', 'operator')`,
    message: 'a workspace is named by the service, by itself or by the operator',
  },
  {
    name: 'workspaces_named_by_update',
    on: 'workspaces',
    event: 'update',
    when: `new.named_by not in ('service', 'workspace', 'operator')`,
    message: 'a workspace is named by the service, by itself or by the operator',
  },
  {
    name: 'members_begin',
    on: 'members',
    event: 'insert',
    when: `new.role not in ('owner', 'manager', 'member', 'viewer') or new.removed_at is not null`,
    message: 'a member has one of the roles',
  },
  {
    name: 'members_fixed',
    on: 'members',
    event: 'update',
    when: `${changed('member_id', 'workspace_id', 'created_at')} or old.removed_at is not null or new.role not in
      ('owner', 'manager', 'member', 'viewer')`,
    message: 'a member stays in its workspace, and a removed one stays removed',
  },
]
