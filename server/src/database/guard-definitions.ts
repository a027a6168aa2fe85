import type { GuardTrigger } from './dialect.ts'

/** The condition that one of the columns changes. */
const changed = (...columns: readonly string[]): string =>
  columns.map((name) => `new.${name} is distinct from old.${name}`).join(' or ')

/** The condition that a column changes in one of the ways. */
const moves = (column: string, ...ways: readonly (readonly [string, string])[]): string =>
  ways.map(([from, to]) => `(old.${column} = '${from}' and new.${column} = '${to}')`).join(' or ')

const guard = (
  on: string,
  what: string,
  event: GuardTrigger['event'],
  message: string,
  when: string,
): GuardTrigger => ({ name: `${on}_${what}`, on, event, when, message })

/** No row is deleted. */
const stay = (on: string, message: string): GuardTrigger => guard(on, 'stay', 'delete', message, 'true')

/** No row changes. */
const fixed = (on: string, message: string): GuardTrigger => guard(on, 'fixed', 'update', message, 'true')

/** A column has one of these values. */
const oneOf = (on: string, column: string, message: string, values: readonly string[]): GuardTrigger[] =>
  (['insert', 'update'] as const).map((event) =>
    guard(on, `${column}_${event}`, event, message, `new.${column} not in ('${values.join("', '")}')`),
  )

export const SIGNED_IN_TIME = 'a kit is signed by a key that is alive at its time'

/** The changes that the database refuses, whatever the code does. */
export const GUARDS: readonly GuardTrigger[] = [
  stay('workspaces', 'workspaces are not deleted'),
  guard(
    'workspaces',
    'credits',
    'update',
    'credits are not overspent',
    `new.credits_available < 0 or new.credits_held < 0 or ${changed('workspace_id', 'created_at')}`,
  ),
  ...oneOf('workspaces', 'visibility', 'the visibility is receipts, all or none', [
    'receipts',
    'all',
    'none',
  ]),
  guard(
    'members',
    'last_owner',
    'update',
    'a workspace with members keeps an owner',
    `old.role = 'owner' and (new.role <> 'owner' or new.removed_at is not null) and not exists (select 1
      from members others where others.workspace_id = old.workspace_id and others.member_id <> old.member_id
      and others.role = 'owner' and others.removed_at is null)`,
  ),
  stay('members', 'members are not deleted'),
  guard(
    'invitations',
    'fixed',
    'update',
    'an invitation is used once, or revoked',
    `old.accepted_at is not null or old.revoked_at is not null or
      ${changed('invitation_id', 'workspace_id', 'email', 'role', 'member_id', 'created_at', 'expires_at')}`,
  ),
  guard(
    'sessions',
    'fixed',
    'update',
    'a session that has ended stays ended',
    `old.ended_at is not null or ${changed('session_id', 'member_id', 'method', 'created_at', 'ends_at')}`,
  ),
  guard(
    'signing_keys',
    'begin',
    'insert',
    'a signing key begins as active, unless only its public half is known',
    `not ((new.state = 'active' and new.provider in ('file', 'pkcs11', 'database')) or
      (new.state = 'retired' and new.retired_at is not null and new.provider = 'imported'))`,
  ),
  guard(
    'signing_keys',
    'move',
    'update',
    'a signing key does not move that way',
    `(new.state <> old.state and not
      (${moves('state', ['active', 'retired'], ['active', 'revoked'], ['retired', 'revoked'])})) or
      ${changed('kid', 'x', 'provider', 'created_at')} or (old.retired_at is not null and
      ${changed('retired_at')}) or (old.revoked_at is not null and ${changed('revoked_at')})`,
  ),
  guard(
    'signing_keys',
    'compromise',
    'update',
    'the compromise of a signing key is stated when it is revoked, and moves only back',
    `${changed('compromised_since')} and not (new.state = 'revoked' and new.compromised_since is not null
      and (old.state <> 'revoked' or new.compromised_since < coalesce(old.compromised_since, '')))`,
  ),
  stay('signing_keys', 'signing keys are not deleted'),
  guard(
    'kits',
    'key',
    'insert',
    SIGNED_IN_TIME,
    `not exists (select 1 from signing_keys where signing_keys.kid = new.public_key_kid and
      signing_keys.state <> 'revoked' and substr(signing_keys.created_at, 1, 19) <= substr(new.issued_at, 1,
      19) and (signing_keys.retired_at is null or substr(new.issued_at, 1, 19) <=
      substr(signing_keys.retired_at, 1, 19)))`,
  ),
  stay('kits', 'kits are not deleted'),
  guard(
    'kits',
    'fixed',
    'update',
    'a kit does not change',
    `${changed('kit_id', 'job_id', 'issued_at', 'receipt_version', 'manifest_sha256', 'public_key_kid', 'downloads', 'receipt', 'entries')}
      or (old.zip_sha256 is not null and ${changed('zip_sha256')}) or
      ((${changed('log_proof', 'time_stamp')}) and (old.log_proof is not null or exists (select 1 from submissions
      where submissions.kit_id = old.kit_id)))`,
  ),
  stay('expired_kits', 'what was let go is not forgotten'),
  fixed('expired_kits', 'what was let go does not change'),
  stay('profiles', 'versions of profiles are not deleted'),
  guard(
    'profiles',
    'fixed',
    'update',
    'a version of a profile does not change',
    `${changed('workspace_id', 'profile', 'version', 'document', 'created_at')} or (old.ended_at is not null
      and ${changed('ended_at')})`,
  ),
  guard(
    'submissions',
    'begin',
    'insert',
    'a job begins as DRAFT or SUBMITTED, without a kit',
    `new.status not in ('DRAFT', 'SUBMITTED') or new.kit_id is not null`,
  ),
  guard(
    'submissions',
    'move',
    'update',
    'a job does not move that way',
    `new.status <> old.status and not
      (${moves('status', ['DRAFT', 'SUBMITTED'], ['DRAFT', 'EXPIRED'], ['SUBMITTED', 'PASS'], ['SUBMITTED', 'FAIL'], ['SUBMITTED', 'ISSUED'], ['PASS', 'ISSUED'], ['ISSUED', 'EXPIRED'], ['FAIL', 'EXPIRED'])})`,
  ),
  guard(
    'submissions',
    'kit',
    'update',
    'a job has the kit that was issued for it, with its log proof, and never another',
    `(${changed('kit_id')} and not (old.status in ('SUBMITTED', 'PASS') and new.status = 'ISSUED')) or
      ((old.status in ('SUBMITTED', 'PASS') and new.status = 'ISSUED') and not exists (select 1 from kits
      where kits.kit_id = new.kit_id and kits.job_id = new.job_id and kits.log_proof is not null))`,
  ),
  guard(
    'submissions',
    'held',
    'update',
    'evidence under a legal hold is kept',
    `new.status = 'EXPIRED' and old.status <> 'EXPIRED' and exists (select 1 from holds where
      holds.submission_id = new.submission_id)`,
  ),
  stay('submissions', 'submissions are not deleted'),
  guard(
    'submissions',
    'identity',
    'update',
    'what a submission was created with stays',
    `${changed('submission_id', 'job_id', 'tenant_id', 'scope_label', 'job_created_at', 'authenticated', 'replaces_kit_id')}
      or (old.workspace_id is not null and ${changed('workspace_id')})`,
  ),
  guard(
    'submissions',
    'opened',
    'update',
    'what a submission was opened with stays',
    `old.sequence is not null and
      (${changed('sequence', 'label', 'profile', 'profile_version', 'created_at')})`,
  ),
  guard(
    'submissions',
    'replaces_revoked',
    'insert',
    'only a kit of the same workspace whose key is revoked is replaced',
    `new.replaces_kit_id is not null and not exists (select 1 from kits join submissions replaced on
      replaced.kit_id = kits.kit_id join signing_keys on signing_keys.kid = kits.public_key_kid where kits.kit_id =
      new.replaces_kit_id and replaced.workspace_id = new.workspace_id and replaced.status = 'ISSUED' and
      signing_keys.state = 'revoked')`,
  ),
  guard(
    'submissions',
    'replaces_once',
    'insert',
    'a kit is replaced once',
    `new.replaces_kit_id is not null and exists (select 1 from submissions others where
      others.replaces_kit_id = new.replaces_kit_id and others.status <> 'FAIL')`,
  ),
  guard(
    'holds',
    'begin',
    'insert',
    'evidence that is gone cannot be held',
    `exists (select 1 from submissions where submissions.submission_id = new.submission_id and
      submissions.status = 'EXPIRED')`,
  ),
  guard(
    'evidence',
    'open',
    'insert',
    'a sealed submission takes no more evidence',
    `not exists (select 1 from submissions where submissions.submission_id = new.submission_id and
      submissions.status = 'DRAFT')`,
  ),
  fixed('evidence', 'evidence does not change'),
  guard(
    'evidence',
    'stay',
    'delete',
    'sealed evidence is not deleted',
    `not exists (select 1 from submissions where submissions.submission_id = old.submission_id and
      submissions.status = 'DRAFT')`,
  ),
  guard(
    'objects',
    'fixed',
    'update',
    'objects do not change',
    `${changed('object', 'sha256', 'size_bytes')} or (old.erased_at is not null and ${changed('erased_at')})`,
  ),
  guard('objects', 'stay', 'delete', 'objects stay until they are erased', 'old.erased_at is null'),
  guard(
    'log',
    'grows',
    'update',
    'the log never shrinks or changes',
    'new.size < old.size or (new.size = old.size and new.root <> old.root)',
  ),
  guard(
    'log',
    'identity',
    'update',
    'the origin and the key of the log never change',
    'new.origin <> old.origin or new.kid <> old.kid or new.x <> old.x',
  ),
  stay('log', 'the log is never deleted'),
  guard(
    'log_leaves',
    'fixed',
    'update',
    'a leaf never changes, and its index is set once',
    'old.leaf_index is not null or new.leaf <> old.leaf',
  ),
  stay('log_leaves', 'leaves are never deleted'),
  fixed('log_tiles', 'tiles never change'),
  stay('log_tiles', 'tiles are never deleted'),
  guard(
    'log_checkpoints',
    'fixed',
    'update',
    'a checkpoint never gets another root',
    'new.size <> old.size or new.root <> old.root',
  ),
  stay('log_checkpoints', 'checkpoints are never deleted'),
  stay('credit_ledger', 'the ledger is only added to'),
  fixed('credit_ledger', 'the ledger is only added to'),
  guard(
    'credit_ledger',
    'settles',
    'insert',
    'only a held credit is captured or released',
    `new.kind not in ('grant', 'hold', 'capture', 'release') or (new.kind in ('capture', 'release') and not
      exists (select 1 from credit_ledger where credit_ledger.submission_id = new.submission_id and
      credit_ledger.kind = 'hold'))`,
  ),
  stay('audit_events', 'events are only added'),
  stay('audit_heads', 'heads are only added'),
  guard(
    'audit_heads',
    'fixed',
    'update',
    'heads are only added',
    `old.leaf_id is not null or ${changed('workspace_id', 'count', 'head', 'logged_at')}`,
  ),
  guard(
    'links',
    'begin',
    'insert',
    'a link has one of the purposes',
    `new.purpose not in ('invitation', 'share', 'request', 'unsubscribe') or new.revoked_at is not null`,
  ),
  guard(
    'links',
    'fixed',
    'update',
    'a link does not change, and a revoked one stays revoked',
    `old.revoked_at is not null or
      ${changed('link_id', 'workspace_id', 'purpose', 'subject_id', 'sha256', 'created_at', 'expires_at')}`,
  ),
  guard('links', 'recipient_fixed', 'update', 'a link does not change', changed('recipient')),
  fixed('audit_events', 'events are only added'),
  guard(
    'audit_events',
    'chain',
    'insert',
    'an event follows the newest one',
    `new.hash is null or new.prev is null or (new.sequence > 1 and not exists (select 1 from audit_events where audit_events.workspace_id = new.workspace_id and audit_events.sequence = new.sequence - 1 and audit_events.hash = new.prev))`,
  ),
  ...oneOf('workspaces', 'named_by', 'a workspace is named by the service, by itself or by the operator', [
    'service',
    'workspace',
    'operator',
  ]),
  guard(
    'members',
    'begin',
    'insert',
    'a member has one of the roles',
    `new.role not in ('owner', 'manager', 'member', 'viewer') or new.removed_at is not null`,
  ),
  guard(
    'members',
    'fixed',
    'update',
    'a member stays in its workspace, and a removed one stays removed',
    `${changed('member_id', 'workspace_id', 'created_at')} or old.removed_at is not null or new.role not in
      ('owner', 'manager', 'member', 'viewer')`,
  ),
]
