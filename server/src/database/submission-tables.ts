import type { JobId, KitId, SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import { changed, column, table } from './table.ts'

const ofSubmission = () => column.refersTo<SubmissionId>('submissions (submission_id)')
const kitId = () => column.text<KitId>()

export const SIGNED_IN_TIME = 'a kit is signed by a key that is alive at its time'

/** Submissions with their evidence, and the kits that they become. */
export const submissionTables = {
  /** A submission is its job: `/v1/submissions` and `/v1/intake/jobs` show the same row. */
  submissions: table('submissions', {
    /** Known to callers once it is opened. */
    submission_id: column.text<SubmissionId>(),
    job_id: column.text<JobId>(),
    /** Null for anonymous jobs. */
    workspace_id: column.refersTo<WorkspaceId>('workspaces (workspace_id)').nullable(),
    tenant_id: column.text(),
    scope_label: column.text(),
    status: column.oneOf('DRAFT', 'SUBMITTED', 'PASS', 'FAIL', 'ISSUED', 'EXPIRED'),
    job_created_at: column.time(),
    /** When its status changed, or evidence arrived. */
    job_updated_at: column.time(),
    /** When a draft expires; null for every other status. */
    expires_at: column.time().nullable(),
    kit_id: kitId().nullable(),
    /** 1 if the caller sent a valid API key. */
    authenticated: column.boolean(),
    /** The process that sealed its kit, which is the first to issue it. Null until it has passed. */
    sealed_by: column.text().nullable(),
    /** JSON: Blocker[], if it failed. */
    blockers: column.text().nullable(),
    /** JSON: FindingRecord[] of the evidence. Null until it was examined. */
    findings: column.text().nullable(),
    /** Creation order in the workspace; used as the list cursor. Null for an intake job that was not opened as a submission. */
    sequence: column.count().nullable(),
    label: column.text(),
    profile: column.text(),
    /** When it was opened. */
    created_at: column.created(),
    updated_at: column.updated(),
    /** Number of accepted uploads. Detects concurrent uploads. */
    uploads: column.count(),
    uploaded_bytes: column.count(),
    /** Resumable uploads that are not finished, and the sum of their sizes. */
    open_uploads: column.count(),
    reserved_bytes: column.count(),
    /** The kit that this one replaces, because its signing key was revoked. */
    replaces_kit_id: kitId().nullable(),
    /** JSON: the codes of findings that the supplier acknowledges. Null for none. */
    accept: column.text().nullable(),
    /** JSON: files that a person says are for an item of the profile. */
    confirmed: column.text().nullable(),
    /** JSON: what the supplier states about where the evidence came from (SubmissionProvenance). */
    provenance: column.text().nullable(),
    /** Null if the profile ships with the service. */
    profile_version: column.count().nullable(),
    series: column.text().nullable(),
    /** The caller's own ID. */
    external_id: column.text().nullable(),
    /** JSON: string[]. Null for none. */
    tags: column.text().nullable(),
    /** JSON: { name: text }. Null for none. */
    metadata: column.text().nullable(),
    /** The label in lower case, to sort by. */
    label_key: column.text(),
  })
    .primaryKey('submission_id')
    .unique(['job_id'])
    // Few are waiting or drafts: with partial indexes it costs the same to find them among a million as among ten.
    .indexOf(
      `index submissions_waiting on submissions (coalesce(workspace_id, ''), job_created_at, job_id)
        where status = 'SUBMITTED'`,
    )
    .index(['expires_at'], `status = 'DRAFT'`)
    .index(['job_id'], `status = 'PASS'`, 'submissions_passed')
    // Oldest first, for the end of retention.
    .index(
      ['workspace_id', 'job_updated_at'],
      `status = 'ISSUED' and workspace_id is not null`,
      'submissions_issued',
    )
    .index(['workspace_id', 'job_updated_at'], `status = 'FAIL'`, 'submissions_failed')
    .index(['job_updated_at'], `status = 'EXPIRED'`)
    .index(['workspace_id', 'status', 'sequence'], `status <> 'ISSUED'`)
    .unique(['kit_id'], 'kit_id is not null')
    .index(['job_updated_at', 'job_id'], `status = 'ISSUED' and workspace_id is null`)
    .unique(['workspace_id', 'sequence'], 'sequence is not null', 'submissions_of_workspace')
    .index(['replaces_kit_id'], 'replaces_kit_id is not null')
    .index(['submission_id'], 'open_uploads > 0', 'submissions_with_uploads')
    .index(['workspace_id', 'label_key', 'sequence'], 'sequence is not null', 'submissions_by_label')
    .index(['workspace_id', 'uploaded_bytes', 'sequence'], 'sequence is not null')
    .index(['workspace_id', 'created_at', 'sequence'], 'sequence is not null')
    .index(['workspace_id', 'series', 'sequence'], 'series is not null')
    .index(['workspace_id', 'external_id', 'sequence'], 'external_id is not null')
    .stays('submissions are not deleted')
    .guard(
      'begin',
      'insert',
      'a job begins as DRAFT or SUBMITTED, without a kit',
      `new.status not in ('DRAFT', 'SUBMITTED') or new.kit_id is not null`,
    )
    .moves(
      'status',
      {
        DRAFT: ['SUBMITTED', 'EXPIRED'],
        SUBMITTED: ['PASS', 'FAIL', 'ISSUED'],
        PASS: ['ISSUED'],
        ISSUED: ['EXPIRED'],
        FAIL: ['EXPIRED'],
      },
      'a job does not move that way',
    )
    .guard(
      'kit',
      'update',
      'a job has the kit that was issued for it, with its log proof, and never another',
      `(${changed('kit_id')} and not (old.status in ('SUBMITTED', 'PASS') and new.status = 'ISSUED')) or
        ((old.status in ('SUBMITTED', 'PASS') and new.status = 'ISSUED') and not exists (select 1 from kits
        where kits.kit_id = new.kit_id and kits.job_id = new.job_id and kits.log_proof is not null))`,
    )
    .guard(
      'held',
      'update',
      'evidence under a legal hold is kept',
      `new.status = 'EXPIRED' and old.status <> 'EXPIRED' and exists (select 1 from holds where
        holds.submission_id = new.submission_id)`,
    )
    .keeps(
      'identity',
      'what a submission was created with stays',
      [
        'submission_id',
        'job_id',
        'tenant_id',
        'scope_label',
        'job_created_at',
        'authenticated',
        'replaces_kit_id',
      ],
      `(old.workspace_id is not null and ${changed('workspace_id')})`,
    )
    .guard(
      'opened',
      'update',
      'what a submission was opened with stays',
      `old.sequence is not null and (${changed('sequence', 'label', 'profile', 'profile_version', 'created_at')})`,
    )
    .guard(
      'replaces_revoked',
      'insert',
      'only a kit of the same workspace whose key is revoked is replaced',
      `new.replaces_kit_id is not null and not exists (select 1 from kits join submissions replaced on
        replaced.kit_id = kits.kit_id join signing_keys on signing_keys.kid = kits.public_key_kid where kits.kit_id =
        new.replaces_kit_id and replaced.workspace_id = new.workspace_id and replaced.status = 'ISSUED' and
        signing_keys.state = 'revoked')`,
    )
    .guard(
      'replaces_once',
      'insert',
      'a kit is replaced once',
      `new.replaces_kit_id is not null and exists (select 1 from submissions others where
        others.replaces_kit_id = new.replaces_kit_id and others.status <> 'FAIL')`,
    )
    // What belongs to a submission goes with it.
    .after(
      'objects',
      'update',
      `new.status = 'EXPIRED' and old.status <> 'EXPIRED'`,
      `update objects set erased_at = new.job_updated_at
        where submission_id = new.submission_id and erased_at is null;`,
    )
    .after(
      'stored_bytes',
      'update',
      `(new.status = 'EXPIRED') is distinct from (old.status = 'EXPIRED')
        or ${changed('uploaded_bytes', 'reserved_bytes')}`,
      `update workspaces set stored_bytes = stored_bytes
          + case when new.status = 'EXPIRED' then 0 else new.uploaded_bytes + new.reserved_bytes end
          - case when old.status = 'EXPIRED' then 0 else old.uploaded_bytes + old.reserved_bytes end
        where workspace_id = new.workspace_id;`,
    ),

  /** Versions of the profiles of workspaces. One of each is current. */
  profiles: table('profiles', {
    workspace_id: column.owner(),
    profile: column.text(),
    version: column.count(),
    /** JSON, as spec/schemas/profile.json. */
    document: column.text(),
    created_at: column.created(),
    /** When another version replaced it, or it was deleted. Null for the current one. */
    ended_at: column.time().nullable(),
  })
    .primaryKey('workspace_id', 'profile', 'version')
    .unique(['workspace_id', 'profile'], 'ended_at is null')
    .stays('versions of profiles are not deleted')
    .fixed(
      'a version of a profile does not change',
      ['ended_at'],
      `(old.ended_at is not null and ${changed('ended_at')})`,
    ),

  /** Words that submissions are found by. Tags are whole. */
  submission_words: table('submission_words', {
    workspace_id: column.owner(),
    field: column.oneOf('label', 'path', 'tag'),
    word: column.text(),
    /** Of the submission. */
    sequence: column.count(),
  })
    .primaryKey('workspace_id', 'field', 'word', 'sequence')
    .index(['workspace_id', 'sequence', 'field', 'word']),

  /** Legal holds: the evidence of these submissions is neither expired nor deleted. */
  holds: table('holds', {
    submission_id: ofSubmission(),
    reason: column.text(),
    placed_at: column.time(),
    /** `key:ID` or `member:ID`. */
    placed_by: column.text(),
  })
    .primaryKey('submission_id')
    .guard(
      'begin',
      'insert',
      'evidence that is gone cannot be held',
      `exists (select 1 from submissions where submissions.submission_id = new.submission_id and
        submissions.status = 'EXPIRED')`,
    ),

  /** What was accepted. Each object belongs to one submission, and goes with it. */
  objects: table('objects', {
    object: column.text(),
    /** Null for what every kit has, and for an object that was given up because nobody had accepted it. */
    submission_id: ofSubmission().nullable(),
    /** Of all of its bytes. */
    sha256: column.text(),
    size_bytes: column.count(),
    /** Since then its bytes are to be deleted. */
    erased_at: column.time().nullable(),
  })
    .primaryKey('object')
    .index(['submission_id'])
    .index(['erased_at', 'object'], 'erased_at is not null', 'objects_erased')
    .keeps(
      'fixed',
      'objects do not change',
      ['object', 'sha256', 'size_bytes'],
      `(old.erased_at is not null and ${changed('erased_at')})`,
    )
    .guard('stay', 'delete', 'objects stay until they are erased', 'old.erased_at is null'),

  evidence: table('evidence', {
    submission_id: ofSubmission(),
    position: column.count(),
    /** As sent by the client. */
    name: column.text(),
    sha256: column.text(),
    size_bytes: column.count(),
    crc32: column.count(),
    /** Where its bytes are. */
    object: column.text(),
    offset_bytes: column.count(),
    media_type: column.text(),
    /** `key:ID` or `member:ID`. Null for evidence that was copied. */
    received_by: column.text().nullable(),
    /** JSON: how it was received, as provenance entries without paths. */
    received: column.text().nullable(),
  })
    .primaryKey('submission_id', 'position')
    .guard(
      'open',
      'insert',
      'a sealed submission takes no more evidence',
      `not exists (select 1 from submissions where submissions.submission_id = new.submission_id and
        submissions.status = 'DRAFT')`,
    )
    .fixed('evidence does not change')
    .guard(
      'stay',
      'delete',
      'sealed evidence is not deleted',
      `not exists (select 1 from submissions where submissions.submission_id = old.submission_id and
        submissions.status = 'DRAFT')`,
    ),

  signing_keys: table('signing_keys', {
    kid: column.text(),
    x: column.text(),
    /** `imported`: only the public half is known. */
    provider: column.oneOf('file', 'pkcs11', 'database', 'imported'),
    /** Where the provider finds the private key: a file name, a token's object ID, or a row of private_keys. */
    reference: column.text(),
    state: column.oneOf('active', 'retired', 'revoked'),
    created_at: column.created(),
    retired_at: column.time().nullable(),
    revoked_at: column.time().nullable(),
    /** Kits that are shown to be older stay valid. */
    compromised_since: column.time().nullable(),
  })
    .primaryKey('kid')
    .unique(['x'])
    .unique(['state'], `state = 'active'`)
    .stays('signing keys are not deleted')
    .guard(
      'begin',
      'insert',
      'a signing key begins as active, unless only its public half is known',
      `not ((new.state = 'active' and new.provider <> 'imported') or
        (new.state = 'retired' and new.retired_at is not null and new.provider = 'imported'))`,
    )
    .moves(
      'state',
      { active: ['retired', 'revoked'], retired: ['revoked'] },
      'a signing key does not move that way',
    )
    .keeps(
      'fixed',
      'what a signing key was stays, and it does not move again',
      ['kid', 'x', 'provider', 'created_at'],
      `(old.retired_at is not null and ${changed('retired_at')}) or
        (old.revoked_at is not null and ${changed('revoked_at')})`,
    )
    .guard(
      'compromise',
      'update',
      'the compromise of a signing key is stated when it is revoked, and moves only back',
      `${changed('compromised_since')} and not (new.state = 'revoked' and new.compromised_since is not null
        and (old.state <> 'revoked' or new.compromised_since < coalesce(old.compromised_since, '')))`,
    ),

  private_keys: table('private_keys', {
    reference: column.text(),
    /** As in a key file: encrypted with the passphrase, or PKCS#8 in PEM if there is none. */
    content: column.text(),
  }).primaryKey('reference'),

  kits: table('kits', {
    kit_id: kitId(),
    job_id: column.refersTo<JobId>('submissions (job_id)'),
    issued_at: column.time(),
    receipt_version: column.text(),
    manifest_sha256: column.text(),
    public_key_kid: column.refersTo('signing_keys (kid)'),
    /** JSON: { name: reference }. */
    downloads: column.text(),
    /** JSON: the receipt, as served. */
    receipt: column.text(),
    /** JSON: KitEntry[], every file of the kit in zip order. */
    entries: column.text(),
    /** Of kit.zip. Null until the kit is issued. */
    zip_sha256: column.text().nullable(),
    /** proofs/log.tlog-proof. Null until the kit is issued. */
    log_proof: column.text().nullable(),
    /** proofs/time.tsr in base64. Null until the kit is issued, and if its checkpoint has no time-stamp. */
    time_stamp: column.text().nullable(),
  })
    .primaryKey('kit_id')
    .unique(['job_id'])
    .index(['public_key_kid', 'issued_at'])
    .stays('kits are not deleted')
    .guard(
      'key',
      'insert',
      SIGNED_IN_TIME,
      `not exists (select 1 from signing_keys where signing_keys.kid = new.public_key_kid and
        signing_keys.state <> 'revoked' and substr(signing_keys.created_at, 1, 19) <= substr(new.issued_at, 1,
        19) and (signing_keys.retired_at is null or substr(new.issued_at, 1, 19) <=
        substr(signing_keys.retired_at, 1, 19)))`,
    )
    .fixed(
      'a kit does not change',
      ['zip_sha256', 'log_proof', 'time_stamp'],
      `(old.zip_sha256 is not null and ${changed('zip_sha256')}) or ((${changed('log_proof', 'time_stamp')}) and
        (old.log_proof is not null or exists (select 1 from submissions where submissions.kit_id = old.kit_id)))`,
    ),

  /** Kits whose files were deleted, at the end of their retention or on request. Manifest and receipt are kept. */
  expired_kits: table('expired_kits', {
    kit_id: column.refersTo<KitId>('kits (kit_id)'),
    expired_at: column.time(),
    /** manifest.json, as it was served. */
    manifest: column.text(),
    /** erasure.json. Null for a kit of open intake. */
    erasure: column.text().nullable(),
  })
    .primaryKey('kit_id')
    .index(['expired_at'])
    .stays('what was let go is not forgotten')
    .fixed('what was let go does not change'),

  /** The issued kits of a series, in order. */
  series_kits: table('series_kits', {
    workspace_id: column.owner(),
    series: column.text(),
    issued_at: column.time(),
    /** Of the submission. */
    sequence: column.count(),
    kit_id: kitId(),
    /** 1 if it replaces a kit whose key was revoked. */
    is_reissue: column.boolean(),
  }).primaryKey('workspace_id', 'series', 'issued_at', 'sequence'),

  /** How many rows `series_kits` has for a series. */
  series_counts: table('series_counts', {
    workspace_id: column.owner(),
    series: column.text(),
    kits: column.count(),
  }).primaryKey('workspace_id', 'series'),
}
