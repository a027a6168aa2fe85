/** Tables, each after those that it refers to, with their indexes. Each as in `create …`. Only hashes of tokens, keys and cookies are stored. */
export const TABLES: readonly string[] = [
  `table plans (
    plan text primary key, api_access integer not null, upload_limit_bytes bigint not null,
    unpacked_limit_bytes bigint not null, unpacked_files integer not null, unpacked_ratio integer not null,
    retention_days integer, rate_per_minute integer not null, created_at text not null, updated_at text not null,
    evidence_policy text default 'open' not null, finding_classes text, storage_limit_bytes bigint,
    mails_per_day integer default 500 not null
  )`,
  `table workspaces (
    workspace_id text primary key, name text not null, plan text not null references plans (plan),
    credits_available bigint not null, credits_held bigint not null, ledger_entries bigint not null,
    audit_events bigint not null, created_at text not null, updated_at text not null,
    visibility text default 'receipts' not null, audit_head text, pins text, audit_secret text,
    named_by text default 'operator' not null, credits_unlimited integer default 0 not null,
    stored_bytes bigint default 0 not null, language text default 'en' not null
  )`,
  `table exchanged_tokens (
    sha256 text primary key, expires_at text not null
  )`,
  'index exchanged_tokens_by_expiry on exchanged_tokens (expires_at)',
  `table members (
    member_id text primary key, workspace_id text not null references workspaces (workspace_id),
    email text not null, role text not null, created_at text not null, removed_at text, name text, sso_at text,
    confirmed_at text
  )`,
  'unique index members_of_workspace on members (workspace_id, email) where removed_at is null',
  'index members_by_email on members (email) where removed_at is null',
  'index members_by_email_of_workspace on members (workspace_id, email)',
  'index members_by_sso on members (email) where sso_at is not null',
  `table invitations (
    invitation_id text primary key, workspace_id text not null references workspaces (workspace_id),
    email text not null, role text not null, invited_by text not null,
    member_id text not null, inviting_member text references members (member_id), created_at text not null, expires_at text not null,
    accepted_at text, revoked_at text
  )`,
  // One open invitation per address: a new one revokes the older.
  `unique index invitations_open on invitations (workspace_id, email)
    where accepted_at is null and revoked_at is null`,
  'index invitations_by_email on invitations (email) where accepted_at is null and revoked_at is null',
  'index invitations_not_accepted on invitations (workspace_id, email, created_at) where accepted_at is null',
  `table passkeys (
    passkey_id text primary key, member_id text not null references members (member_id), public_key text not null,
    counter bigint not null, transports text not null, backed_up integer not null, label text not null,
    created_at text not null, last_used_at text
  )`,
  'index passkeys_of_member on passkeys (member_id)',
  `table sessions (
    session_id text primary key, member_id text not null references members (member_id),
    sha256 text not null unique, previous_sha256 text unique, confirmed integer not null, rotated_at text not null,
    method text not null, browser text not null, created_at text not null, last_seen_at text not null,
    ends_at text not null, ended_at text, ended_as text
  )`,
  'index sessions_of_member on sessions (member_id)',
  'index sessions_by_end on sessions (ends_at)',
  `table ceremonies (
    ceremony_id text primary key, kind text not null, expected text not null, expires_at text not null
  )`,
  'index ceremonies_by_end on ceremonies (expires_at)',
  `table signing_keys (
    kid text primary key, x text not null unique, provider text not null, reference text not null,
    state text not null, created_at text not null, retired_at text, revoked_at text, compromised_since text
  )`,
  `unique index signing_keys_one_active on signing_keys (state) where state = 'active'`,
  `table private_keys (
    reference text primary key, content text not null
  )`,
  `table upkeep (
    task text primary key, finished_at text, state text not null
  )`,
  `table tasks (
    kind text not null, key text not null, workspace_id text, due_at text not null, attempts integer not null,
    claims integer not null, failing_since text, owner text, held_until text, token integer not null,
    constraint tasks_primary_key primary key (kind, key)
  )`,
  // In the order of turns.
  `index tasks_in_turn on tasks (kind, coalesce(workspace_id, ''), due_at, key)`,
  'index tasks_held on tasks (owner) where owner is not null',
  `table idempotency (
    scope text not null, key text not null, request_hash text not null, status integer not null, body text not null,
    created_at text not null, constraint idempotency_primary_key primary key (scope, key)
  )`,
  'index idempotency_age on idempotency (created_at)',
  `table kits (
    kit_id text primary key, job_id text not null unique references submissions (job_id), issued_at text not null,
    receipt_version text not null, manifest_sha256 text not null,
    public_key_kid text not null references signing_keys (kid), downloads text not null, receipt text not null,
    entries text not null, zip_sha256 text, log_proof text, time_stamp text
  )`,
  'index kits_by_key on kits (public_key_kid, issued_at)',
  `table expired_kits (
    kit_id text primary key references kits (kit_id), expired_at text not null, manifest text not null, erasure text
  )`,
  'index expired_kits_by_time on expired_kits (expired_at)',
  `table series_kits (
    workspace_id text not null references workspaces (workspace_id), series text not null, issued_at text not null,
    sequence bigint not null, kit_id text not null, is_reissue integer not null,
    constraint series_kits_primary_key primary key (workspace_id, series, issued_at, sequence)
  )`,
  `table profiles (
    workspace_id text not null references workspaces (workspace_id), profile text not null,
    version integer not null, document text not null, created_at text not null, ended_at text,
    constraint profiles_primary_key primary key (workspace_id, profile, version)
  )`,
  'unique index profiles_current on profiles (workspace_id, profile) where ended_at is null',
  `table submissions (
    submission_id text primary key, job_id text not null unique,
    workspace_id text references workspaces (workspace_id), tenant_id text not null, scope_label text not null,
    status text not null, job_created_at text not null, job_updated_at text not null, expires_at text, kit_id text,
    authenticated integer not null, sealed_by text, blockers text, findings text, sequence bigint,
    label text not null, profile text not null, created_at text not null, updated_at text not null,
    uploads integer not null, uploaded_bytes bigint not null, replaces_kit_id text, accept text,
    open_uploads integer not null, reserved_bytes bigint not null, profile_version integer,
    series text, external_id text, tags text, metadata text, label_key text not null, confirmed text, provenance text
  )`,
  // Few are waiting or drafts: with partial indexes it costs the same to find them among a million as among ten.
  `index submissions_waiting on submissions (coalesce(workspace_id, ''), job_created_at, job_id)
    where status = 'SUBMITTED'`,
  `index submissions_drafts on submissions (expires_at) where status = 'DRAFT'`,
  `index submissions_passed on submissions (job_id) where status = 'PASS'`,
  // Oldest first, for the end of retention.
  `index submissions_issued on submissions (workspace_id, job_updated_at)
    where status = 'ISSUED' and workspace_id is not null`,
  `index submissions_failed on submissions (workspace_id, job_updated_at) where status = 'FAIL'`,
  `index submissions_expired on submissions (job_updated_at) where status = 'EXPIRED'`,
  `index submissions_by_status on submissions (workspace_id, status, sequence) where status <> 'ISSUED'`,
  'unique index submissions_by_kit on submissions (kit_id) where kit_id is not null',
  `index submissions_issued_openly on submissions (job_updated_at, job_id)
    where status = 'ISSUED' and workspace_id is null`,
  'unique index submissions_of_workspace on submissions (workspace_id, sequence) where sequence is not null',
  'index submissions_by_replaced_kit on submissions (replaces_kit_id) where replaces_kit_id is not null',
  'index submissions_with_uploads on submissions (submission_id) where open_uploads > 0',
  'index submissions_by_label on submissions (workspace_id, label_key, sequence) where sequence is not null',
  'index submissions_by_size on submissions (workspace_id, uploaded_bytes, sequence) where sequence is not null',
  'index submissions_by_time on submissions (workspace_id, created_at, sequence) where sequence is not null',
  'index submissions_by_series on submissions (workspace_id, series, sequence) where series is not null',
  `index submissions_by_external_id on submissions (workspace_id, external_id, sequence)
    where external_id is not null`,
  `table submission_words (
    workspace_id text not null references workspaces (workspace_id), field text not null, word text not null,
    sequence bigint not null,
    constraint submission_words_primary_key primary key (workspace_id, field, word, sequence)
  )`,
  'index submission_words_of_submission on submission_words (workspace_id, sequence, field, word)',
  `table holds (
    submission_id text primary key references submissions (submission_id), reason text not null,
    placed_at text not null, placed_by text not null
  )`,
  `table objects (
    object text primary key, submission_id text references submissions (submission_id), sha256 text not null,
    size_bytes bigint not null, erased_at text
  )`,
  'index objects_of_submission on objects (submission_id)',
  'index objects_erased on objects (erased_at, object) where erased_at is not null',
  `table evidence (
    submission_id text not null references submissions (submission_id), position integer not null,
    name text not null, sha256 text not null, size_bytes bigint not null, crc32 bigint not null,
    object text not null, offset_bytes bigint not null, media_type text not null, received_by text, received text,
    constraint evidence_primary_key primary key (submission_id, position)
  )`,
  `table resumable_uploads (
    upload_id text primary key, submission_id text not null references submissions (submission_id),
    name text not null, size_bytes bigint not null, resume_key text, created_at text not null,
    expires_at text not null, offset_bytes bigint not null, object text not null, state text not null,
    finished_at text, removed_at text, claim text, claimed_until text, metadata text
  )`,
  'index resumable_uploads_of_submission on resumable_uploads (submission_id, created_at)',
  'index resumable_uploads_by_object on resumable_uploads (object)',
  'index resumable_uploads_by_expiry on resumable_uploads (expires_at)',
  'index resumable_uploads_open on resumable_uploads (upload_id) where finished_at is null and removed_at is null',
  'index resumable_uploads_claimed on resumable_uploads (upload_id) where claim is not null',
  `table log (
    id integer primary key, origin text not null, kid text not null, x text not null, provider text not null,
    reference text not null, size bigint not null, root text not null, updated_at text not null, frozen_at text,
    frozen_reason text, marked integer default 0 not null
  )`,
  `table log_leaves (
    leaf_id bigserial primary key, leaf text not null, kit_id text unique references kits (kit_id),
    leaf_index bigint unique
  )`,
  'index log_leaves_waiting on log_leaves (leaf_id) where leaf_index is null',
  `table log_tiles (
    level integer not null, tile_index bigint not null, hashes text not null, root text not null,
    constraint log_tiles_primary_key primary key (level, tile_index)
  )`,
  `table log_checkpoints (
    size bigint primary key, root text not null, note text not null, quorum_met integer not null, time_stamp text,
    created_at text not null
  )`,
  'index log_checkpoints_quorum on log_checkpoints (size) where quorum_met = 1',
  'index log_checkpoints_time_stamped on log_checkpoints (size) where time_stamp is not null',
  `table log_witnesses (
    vkey text primary key, name text not null, size bigint not null, cosigned_at text, failures bigint not null,
    problem text
  )`,
  `table credit_ledger (
    workspace_id text not null references workspaces (workspace_id), sequence bigint not null, kind text not null,
    available_change bigint not null, held_change bigint not null, available_after bigint not null,
    submission_id text references submissions (submission_id), note text, at text not null,
    constraint credit_ledger_primary_key primary key (workspace_id, sequence)
  )`,
  // A submission holds a credit once, and captures or releases it once.
  `unique index credit_ledger_once on credit_ledger (submission_id, (kind = 'hold'))
    where submission_id is not null`,
  `table audit_events (
    workspace_id text not null references workspaces (workspace_id), sequence bigint not null, at text not null,
    actor text not null, key_id text, action text not null, subject text not null, details text not null,
    member_id text, prev text, hash text, constraint audit_events_primary_key primary key (workspace_id, sequence)
  )`,
  // For the history of one subject. Jobs are excluded: they are most of the events, and their history is never shown.
  `index audit_events_of_subject on audit_events (subject, sequence) where action <> 'job.created'`,
  `table audit_heads (
    workspace_id text not null references workspaces (workspace_id), count bigint not null, head text not null,
    leaf_id bigint references log_leaves (leaf_id), logged_at text not null,
    constraint audit_heads_primary_key primary key (workspace_id, count)
  )`,
  `table links (
    link_id text primary key, workspace_id text not null references workspaces (workspace_id),
    purpose text not null, subject_id text not null, sha256 text not null unique, created_at text not null,
    expires_at text not null, revoked_at text, recipient text
  )`,
  'index links_of_subject on links (subject_id)',
  `table unsubscribes (
    workspace_id text not null references workspaces (workspace_id), email text not null,
    unsubscribed_at text not null, constraint unsubscribes_primary_key primary key (workspace_id, email)
  )`,
  `table daily_counts (
    day text not null, name text not null, count integer not null,
    constraint daily_counts_primary_key primary key (day, name)
  )`,
  `table operators (
    email text primary key, added_at text not null
  )`,
  `table series_counts (
    workspace_id text not null references workspaces (workspace_id), series text not null, kits bigint not null,
    constraint series_counts_primary_key primary key (workspace_id, series)
  )`,
]
